// SPDX-License-Identifier: Apache-2.0
// Drives a fuzzer where no engine does: the inputs of a folder, then random changes of them, the same ones
// for the same seed. Options are called as libFuzzer's are.
//
// A child process runs them and notes each in memory that it shares with its parent: whatever it dies of, or
// hangs in, the parent knows by which input.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "coverage.hpp"
#include "inputs.hpp"
#include "mutator.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fixaccel::fuzz {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kMostBytes = 64U * 1024;
constexpr auto kPoll = std::chrono::milliseconds(20);

struct Options {
    std::uint64_t runs = 0;  // 0: until the time is over
    std::uint64_t seed = 1;
    std::chrono::seconds most{0};      // 0: until the runs are done
    std::chrono::seconds timeout{30};  // of a run
    std::string prefix;                // of the file that a failure leaves
    std::vector<std::filesystem::path> paths;
};

// What the child says of itself.
struct Shared {
    std::atomic<std::uint64_t> runs{0};
    std::atomic<std::uint64_t> kept{0};
    std::atomic<bool> done{false};
    std::size_t size = 0;
    char input[kMostBytes]{};
};

Options read_options(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view text(argv[i]);
        const std::size_t equals = text.find('=');
        const std::string_view name = text.substr(0, equals);
        const std::string value(equals == std::string_view::npos ? "" : text.substr(equals + 1));
        if (name == "-runs") {
            options.runs = std::stoull(value);
        } else if (name == "-seed") {
            options.seed = std::stoull(value);
        } else if (name == "-max_total_time") {
            options.most = std::chrono::seconds(std::stoull(value));
        } else if (name == "-timeout") {
            options.timeout = std::chrono::seconds(std::stoull(value));
        } else if (name == "-artifact_prefix") {
            options.prefix = value;
        } else if (!text.starts_with('-')) {
            options.paths.emplace_back(text);
        } else {
            throw std::invalid_argument("unknown option " + std::string(text));
        }
    }
    if (options.paths.empty()) throw std::invalid_argument("no inputs are given: files, or folders of them");
    return options;
}

// What it throws ends the process.
void run(const std::string& input) noexcept {
    // A copy of just its size: what reads behind it is found out.
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

void run_noted(const std::string& input, Shared& shared) {
    shared.size = std::min(input.size(), kMostBytes);
    std::memcpy(shared.input, input.data(), shared.size);
    ++shared.runs;
    begin_coverage();
    run(input);
}

// The child's part. What is new goes into the first folder, as with libFuzzer.
void fuzz(const Options& options, Shared& shared) {
    Inputs inputs;
    for (const auto& path : options.paths)
        for (std::string& input : read_inputs(path)) inputs.push_back(std::move(input));
    if (inputs.empty()) throw std::invalid_argument("the folders of inputs are empty");
    for (std::string& input : inputs) input.resize(std::min(input.size(), kMostBytes));
    const auto end = steady_clock::now() + options.most;
    const auto goes_on = [&] {
        return (options.runs == 0 || shared.runs < options.runs) &&
               (options.most.count() == 0 || steady_clock::now() < end);
    };
    const Mutator mutator(inputs, kMostBytes);
    for (const std::string& input : inputs) {
        run_noted(input, shared);
        covered_more();
    }
    Draw draw(options.seed);
    while (goes_on()) {
        const std::string input = mutator.change(inputs[draw.below(inputs.size())], inputs, draw);
        run_noted(input, shared);
        if (!covered_more()) continue;
        write_input(options.paths.front() / name_of(input), input);
        inputs.push_back(input);
        ++shared.kept;
    }
}

// Waits for the child; empty if all went well.
std::string watch(pid_t child, const Options& options, const Shared& shared) {
    std::uint64_t runs = 0;
    auto moved = steady_clock::now();
    for (;;) {
        int status = 0;
        const char* const where = shared.done ? " behind the last run" : "";
        if (::waitpid(child, &status, WNOHANG) == child) {
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
            const std::string how = WIFSIGNALED(status)
                                        ? std::string("signal ") + ::strsignal(WTERMSIG(status))
                                        : "exit code " + std::to_string(WEXITSTATUS(status));
            return how + where;
        }
        if (const std::uint64_t now = shared.runs + (shared.done ? 1 : 0); now != runs) {
            runs = now;
            moved = steady_clock::now();
        }
        if (steady_clock::now() - moved > options.timeout) {
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
            return "no end within " + std::to_string(options.timeout.count()) + " s" + where;
        }
        std::this_thread::sleep_for(kPoll);
    }
}

// Files that fuzzers write lie in memory, in a folder that is gone in the end.
class Scratch {
  public:
    Scratch() {
        const std::filesystem::path memory = "/dev/shm";
        const auto base =
            std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
        std::string name = (base / "fixaccel-fuzz-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
        path_ = name;
        ::setenv("TMPDIR", name.c_str(), 1);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

  private:
    std::filesystem::path path_;
};

int fork_and_fuzz(const Options& options, const std::string& program) {
    void* const memory =
        ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    auto& shared = *new (memory) Shared;
    const auto begin = steady_clock::now();
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) {
        fuzz(options, shared);
        shared.done = true;
        std::exit(0);  // where a sanitizer looks for leaks
    }
    const std::string wrong = watch(child, options, shared);
    const double seconds = std::chrono::duration<double>(steady_clock::now() - begin).count();
    std::printf("%llu runs in %.1f s, seed %llu, %llu inputs with something new\n",
                static_cast<unsigned long long>(shared.runs), seconds,
                static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(shared.kept));
    if (wrong.empty()) return 0;
    const std::string input(shared.input, shared.size);
    const std::string file =
        options.prefix + std::filesystem::path(program).filename().string() + "-" + name_of(input);
    write_input(file, input);
    std::printf("FAILED with %s in run %llu\nagain: %s %s\n", wrong.c_str(),
                static_cast<unsigned long long>(shared.runs), program.c_str(), file.c_str());
    return 1;
}

// Folders are fuzzed, files are run as they are, in this process.
int drive(int argc, char** argv) {
    const Options options = read_options(argc, argv);
    const Scratch scratch;
    if (std::filesystem::is_directory(options.paths.front())) return fork_and_fuzz(options, argv[0]);
    for (const auto& path : options.paths) run(read_input(path));
    return 0;
}

}  // namespace
}  // namespace fixaccel::fuzz

int main(int argc, char** argv) {
    try {
        return fixaccel::fuzz::drive(argc, argv);
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
