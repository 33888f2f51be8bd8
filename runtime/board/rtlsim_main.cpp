// SPDX-License-Identifier: Apache-2.0
// fixaccel-rtlsim: frames in, orders and ring records out, through the Verilated fabric.
#include <arpa/inet.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "fixaccel/version.hpp"
#include "rtlsim.hpp"

namespace {

using fixaccel::board::RtlSim;
using fixaccel::board::SimError;
using fixaccel::board::SimJob;
using nlohmann::json;

constexpr const char* kFooter = R"(Examples:
  fixaccel-rtlsim --bundle build/quickstart --in frames.pcap --orders orders.pcap --ring ring.jsonl
  fixaccel-rtlsim --batch jobs.jsonl
  fixaccel-rtlsim --batch -        jobs from standard input, one at a time

A job of a batch is one line of JSON with the long options' names as keys, `-` written as `_`:
  {"bundle": "build/quickstart", "in": "frames.pcap", "orders": "orders.pcap", "ring": "ring.jsonl"}
A job may have a `load`, a bundle that follows while armed: {"bundle": ..., "journal": an empty folder, "after": frames
that come before, "within": cycles into the next one in which it is asked for}. Its answer says which message began it.
A job may have `executions`, what a venue reports of the fabric's orders: [{"after": frames that come before, "until":
frames up to which no rule is armed again by its time, "rule": number, "kind": fill, done or reject, "qty": of a fill}],
and `bad_fcs`, the numbers of frames that come with a wrong FCS, from 0 on.
Options on the command line hold for jobs that do not say otherwise. For each job one line of JSON goes to standard
output: frames, fires, orders, cycles and all counters of the fabric, or {"error": ...}. Exit code 1 if a job failed.)";

std::uint32_t parse_ip(const std::string& text) {
    in_addr address{};
    if (::inet_pton(AF_INET, text.c_str(), &address) != 1)
        throw SimError("'" + text + "' is not an IPv4 address");
    return ntohl(address.s_addr);
}

// A number, in `key`, if the job has it.
template <typename Value>
void take(const json& job, const char* key, Value& value) {
    if (!job.contains(key)) return;
    if constexpr (requires { value.value(); })
        value = job.at(key).get<typename Value::value_type>();
    else
        value = job.at(key).get<Value>();
}

SimJob parse_job(const std::string& line, const SimJob& defaults) {
    const json job = json::parse(line);
    SimJob result = defaults;
    take(job, "bundle", result.bundle);
    take(job, "in", result.in);
    take(job, "orders", result.orders);
    take(job, "ring", result.ring);
    take(job, "wire", result.wire);
    take(job, "figures", result.figures);
    if (job.contains("local_ip")) result.session.local_ip = parse_ip(job.at("local_ip"));
    if (job.contains("remote_ip")) result.session.remote_ip = parse_ip(job.at("remote_ip"));
    take(job, "local_port", result.session.local_port);
    take(job, "remote_port", result.session.remote_port);
    take(job, "isn_local", result.session.isn_local);
    take(job, "isn_remote", result.session.isn_remote);
    take(job, "clock_ns", result.session.clock_ns);
    take(job, "next_seq_num", result.session.next_seq_num);
    take(job, "epoch", result.session.epoch);
    take(job, "generation", result.session.generation);
    take(job, "settle", result.session.settle);
    if (job.contains("load")) {
        const json& load = job.at("load");
        result.load = {.bundle = load.at("bundle"),
                       .journal = load.at("journal"),
                       .after = load.at("after"),
                       .within = load.value("within", 0U)};
    }
    for (const json& each : job.value("executions", json::array()))
        result.executions.push_back({.after = each.at("after"),
                                     .until = each.value("until", std::uint64_t{0}),
                                     .rule = each.at("rule"),
                                     .kind = each.at("kind"),
                                     .qty = each.value("qty", std::int64_t{0})});
    result.bad_fcs = job.value("bad_fcs", std::vector<std::uint64_t>{});
    if (result.bundle.empty() || result.in.empty()) throw SimError("a job needs `bundle` and `in`");
    return result;
}

// One job, one line on standard output. False if it failed.
template <typename MakeJob>
bool run_job(RtlSim& sim, MakeJob make_job) {
    try {
        std::cout << sim.run(make_job()) << std::endl;
        return true;
    } catch (const std::exception& error) {
        std::cout << json{{"error", error.what()}}.dump() << std::endl;
        std::cerr << "fixaccel-rtlsim: " << error.what() << '\n';
        return false;
    }
}

bool run_batch(RtlSim& sim, std::istream& jobs, const SimJob& defaults) {
    bool good = true;
    for (std::string line; std::getline(jobs, line);)
        if (!line.empty()) good = run_job(sim, [&] { return parse_job(line, defaults); }) && good;
    return good;
}

struct Arguments {
    SimJob job;
    std::string local_ip;
    std::string remote_ip;
    std::string batch;
    std::string trace;
    std::string interface = "wire";
    fixaccel::board::GemTiming timing;
    bool stats = false;
};

void declare(CLI::App& app, Arguments& arguments) {
    auto& [job, local_ip, remote_ip, batch, trace, interface, timing, stats] = arguments;
    auto* bundle = app.add_option("--bundle", job.bundle, "Bundle to load")->type_name("DIR");
    auto* in =
        app.add_option("--in", job.in, "Frames from the exchange, pcap without FCS")->type_name("FILE");
    app.add_option("--orders", job.orders, "Order frames to write, nanosecond pcap")->type_name("FILE");
    auto* ring = app.add_option("--ring", job.ring, "Ring records to write, JSON lines")->type_name("FILE");
    app.add_option(
           "--wire", job.wire,
           "Play the frames at line rate; write both directions of the wire with FCS, nanosecond pcap")
        ->type_name("FILE")
        ->excludes(ring);
    auto* many = app.add_option("--batch", batch, "Run the jobs of a file, or `-`")->type_name("FILE");
    bundle->needs(in);
    in->needs(bundle);
    many->excludes(bundle)->excludes(in);
    const char* group = "Session (default: as the first frame with TCP payload says)";
    app.add_option("--local-ip", local_ip, "Address of the CPU's side")->group(group);
    app.add_option("--remote-ip", remote_ip, "Address of the exchange")->group(group);
    app.add_option("--local-port", job.session.local_port, "Port of the CPU's side")->group(group);
    app.add_option("--remote-port", job.session.remote_port, "Port of the exchange")->group(group);
    app.add_option("--isn-local", job.session.isn_local, "TCP sequence number of the first byte to send")
        ->group(group);
    app.add_option("--isn-remote", job.session.isn_remote, "TCP sequence number of the first byte to parse")
        ->group(group);
    app.add_option("--clock-ns", job.session.clock_ns, "UTC at the start, ns since the epoch")->group(group);
    app.add_option("--next-seq-num", job.session.next_seq_num, "MsgSeqNum of the first order")
        ->check(CLI::Range(1, 99'999'999))
        ->capture_default_str()
        ->group(group);
    app.add_option("--epoch", job.session.epoch, "Session epoch of ClOrdID")
        ->capture_default_str()
        ->group(group);
    app.add_option("--generation", job.session.generation, "Generation of the tables")
        ->capture_default_str()
        ->group(group);
    app.add_option("--settle", job.session.settle, "Cycles without event before the next frame")
        ->capture_default_str();
    app.add_option("--interface", interface, "How frames reach the fabric")
        ->check(CLI::IsMember({"wire", "gem-bram"}))
        ->capture_default_str();
    app.add_option("--gem-seed", timing.seed, "What the controller's DMA does at random")
        ->capture_default_str();
    app.add_option("--figures", job.figures, "With gem-bram: cycles from frame ready on, JSON lines")
        ->type_name("FILE");
    app.add_option("--trace", trace, "Write waveforms, VCD (needs a build with FIXACCEL_TRACE)")
        ->type_name("FILE");
    app.add_flag("--stats", stats, "Tell the speed of the simulation on standard error");
}

bool run(Arguments& arguments) {
    if (!arguments.local_ip.empty()) arguments.job.session.local_ip = parse_ip(arguments.local_ip);
    if (!arguments.remote_ip.empty()) arguments.job.session.remote_ip = parse_ip(arguments.remote_ip);
    RtlSim sim(arguments.trace, arguments.interface == "wire" ? nullptr : &arguments.timing);
    bool good = false;
    if (arguments.batch.empty()) {
        good = run_job(sim, [&] { return arguments.job; });
    } else if (arguments.batch == "-") {
        good = run_batch(sim, std::cin, arguments.job);
    } else {
        std::ifstream jobs(arguments.batch);
        if (!jobs) throw SimError(arguments.batch + ": cannot be read");
        good = run_batch(sim, jobs, arguments.job);
    }
    if (arguments.stats) {
        const double seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
        std::cerr << sim.cycles() << " cycles, " << static_cast<double>(sim.cycles()) / seconds
                  << " per CPU second\n";
    }
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    CLI::App app{"Plays frames into the Verilated fabric and writes down what it fires."};
    app.name("fixaccel-rtlsim");
    app.set_version_flag("--version", fixaccel::version_line("fixaccel-rtlsim", FIXACCEL_VERSION));
    app.footer(kFooter);
    declare(app, arguments);
    CLI11_PARSE(app, argc, argv);
    if (arguments.batch.empty() && arguments.job.bundle.empty()) {
        std::cerr << "fixaccel-rtlsim: give --bundle and --in, or --batch; see --help\n";
        return 1;
    }
    try {
        return run(arguments) ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "fixaccel-rtlsim: " << error.what() << '\n';
        return 1;
    }
}
