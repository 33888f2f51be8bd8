// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>

#include "episode.hpp"
#include "scenario.hpp"

namespace fixaccel::hostile {
namespace {

struct Options {
    std::filesystem::path bundle{};
    std::filesystem::path tables{};
    std::uint64_t frames = 20'000;
    std::uint64_t episode = 3000;
    std::uint64_t seed = 1;
    std::string kinds = "legal";
    std::string scenario{};
    std::filesystem::path captures = ".";
    bool list = false;
    bool keep_going = false;
};

constexpr const char* kExamples = R"(Examples:
  fixaccel-hostile --bundle B --tables T --frames 50000 --kinds all
  fixaccel-hostile --bundle B --tables T --kinds legal,foreign,runts --seed 7
  fixaccel-hostile --bundle B --tables T --kinds all,-oversize --frames 10000000 --keep-going
  fixaccel-hostile --bundle B --tables T --scenario midnight
A failure prints the command that repeats it and leaves a capture of the last frames. Kinds of trouble:
)";

std::string examples() {
    std::string out = kExamples;
    for (const KindName& entry : kKindNames)
        out += "  " + std::string(entry.name) + std::string(14 - entry.name.size(), ' ') +
               std::string(entry.doc) + "\n";
    return out + "  legal, all     groups; a leading - takes away\n";
}

void add(Episode::Counts& sum, const Episode::Counts& more) {
    sum.frames += more.frames;
    sum.cycles += more.cycles;
    sum.candidates += more.candidates;
    sum.orders += more.orders;
    sum.audits += more.audits;
    sum.resyncs += more.resyncs;
    sum.cancelled += more.cancelled;
    sum.newly_armed += more.newly_armed;
    sum.limited += more.limited;
    sum.two_flows += more.two_flows;
    sum.aborted += more.aborted;
    sum.spoiled += more.spoiled;
}

std::string line(const Episode::Counts& c, double seconds) {
    return std::to_string(c.frames) + " frames, " + std::to_string(c.orders) + " orders, " +
           std::to_string(c.cancelled) + " rules cancelled and " + std::to_string(c.newly_armed) +
           " armed by them, " + std::to_string(c.limited) + " orders beyond a limit, " +
           std::to_string(c.candidates) + " messages that may fire, " + std::to_string(c.audits) +
           " audits, " + std::to_string(c.resyncs) + " resyncs, " + std::to_string(c.two_flows) +
           " sessions on two flows, " + std::to_string(c.aborted) + " orders given up, " +
           std::to_string(c.spoiled) + " rules spent by bad frames; " +
           std::to_string(static_cast<std::uint64_t>(static_cast<double>(c.frames) / seconds)) +
           " frames/s, " + std::to_string(static_cast<double>(c.cycles) / seconds / 1e6).substr(0, 4) +
           " Mcycles/s";
}

int campaign(const Options& options, const MarketRules& rules) {
    using Clock = std::chrono::steady_clock;
    const Kinds kinds = Kinds::parse(options.kinds);
    const auto begin = Clock::now();
    auto told = begin;
    Episode::Counts sum;
    std::map<std::string, unsigned> failures;
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    for (std::uint64_t seed = options.seed; sum.frames < options.frames; ++seed) {
        const std::uint64_t frames = std::min(options.episode, options.frames - sum.frames);
        CoreBench bench;  // a fresh one, so that a seed tells all
        Episode episode(bench, rules, seed, kinds);
        try {
            episode.start();
            episode.run(frames);
        } catch (const std::exception& error) {
            const auto* const failure = dynamic_cast<const Failure*>(&error);
            const std::string property = failure != nullptr ? failure->property() : "error";
            if (failures[property]++ == 0) {
                const auto file = options.captures / (property + "-" + std::to_string(seed) + ".pcap");
                episode.write_capture(file);
                std::cout << "FAILED " << error.what() << "\n  after " << episode.counts().frames
                          << " frames, in cycle " << episode.cycle() << "; the last frames are in "
                          << file.string() << "\n  " << episode.registers_text() << "\n  again: --kinds "
                          << options.kinds << " --seed " << seed << " --frames " << frames << " --episode "
                          << options.episode << std::endl;
            }
            if (!options.keep_going) return 1;
        }
        add(sum, episode.counts());
        if (Clock::now() - told > std::chrono::seconds(20)) {
            told = Clock::now();
            std::cout << "... " << line(sum, seconds()) << std::endl;
        }
    }
    std::cout << line(sum, seconds()) << std::endl;
    for (const auto& [property, count] : failures)
        std::cout << "failed " << property << ": " << count << '\n';
    return failures.empty() ? 0 : 1;
}

int run(int argc, char** argv) {
    Options options;
    CLI::App app("Hostile frames, random timing and a reference around the Verilated fabric.");
    app.footer(examples());
    app.add_option("--bundle", options.bundle, "Bundle of the strategy that make_strategy.py writes")
        ->required();
    app.add_option("--tables", options.tables, "The folder that make_strategy.py has written")->required();
    app.add_option("--frames", options.frames, "Frames from the wire in all")->capture_default_str();
    app.add_option("--episode", options.episode, "Frames of one session; each has the next seed")
        ->capture_default_str();
    app.add_option("--seed", options.seed, "Seed of the first session")->capture_default_str();
    app.add_option("--kinds", options.kinds, "Kinds of trouble, see below")->capture_default_str();
    app.add_option("--scenario", options.scenario, "A scenario instead of random traffic, or `all`");
    app.add_option("--captures", options.captures, "Folder for captures of failures")
        ->check(CLI::ExistingDirectory)
        ->capture_default_str();
    app.add_flag("--list", options.list, "List the scenarios");
    app.add_flag("--keep-going", options.keep_going, "Go on with the next session after a failure");
    CLI11_PARSE(app, argc, argv);
    const MarketRules rules(read_bundle(options.bundle), options.tables);
    if (options.list) return list_scenarios();
    if (!options.scenario.empty()) return run_scenarios(options.scenario, options.captures, rules);
    return campaign(options, rules);
}

}  // namespace
}  // namespace fixaccel::hostile

int main(int argc, char** argv) {
    try {
        return fixaccel::hostile::run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "fixaccel-hostile: " << error.what() << '\n';
        return 2;
    }
}
