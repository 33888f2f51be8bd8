// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iostream>
#include <system_error>
#include <vector>

#include "expected_failures.hpp"
#include "stage.hpp"

namespace fixaccel::hostile {
namespace {

std::vector<Scenario> scenarios() {
    std::vector<Scenario> out;
    for (const auto& part : {frame_scenarios(), tcp_scenarios(), fix_scenarios(), order_scenarios()})
        out.insert(out.end(), part.begin(), part.end());
    return out;
}

// What all scenarios begin with. It takes longer than most of them, so it is made once: each goes on from
// there in a process of its own, which has a copy.
class Beginning {
  public:
    explicit Beginning(const MarketRules& rules) : episode_(bench_, rules, 1, {}) {
        try {
            episode_.start_quiet();
        } catch (const std::exception& error) {
            fault_ = error.what();
        }
    }

    // Empty if it passed.
    std::string play(const Scenario& scenario, const std::filesystem::path& captures) {
        int ends[2];
        if (::pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
        std::cout << std::flush;  // else the copy would say it again
        const ::pid_t child = ::fork();
        if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
        if (child == 0) {
            const std::string fault = go_on(scenario, captures);
            const bool told =
                ::write(ends[1], fault.data(), fault.size()) == static_cast<ssize_t>(fault.size());
            ::_exit(told ? 0 : 1);
        }
        ::close(ends[1]);
        std::string fault;
        std::array<char, 4096> some;
        for (ssize_t count = 0; (count = ::read(ends[0], some.data(), some.size())) > 0;)
            fault.append(some.data(), static_cast<std::size_t>(count));
        ::close(ends[0]);
        int status = 0;
        ::waitpid(child, &status, 0);
        if (status != 0)
            fault = "error: its process ended with status " + std::to_string(status) + ' ' + fault;
        return fault;
    }

  private:
    std::string go_on(const Scenario& scenario, const std::filesystem::path& captures) {
        if (!fault_.empty()) return fault_;
        try {
            Stage stage(episode_);
            scenario.play(stage);
            return {};
        } catch (const std::exception& error) {
            episode_.write_capture(captures / (std::string(scenario.name) + ".pcap"));
            return error.what();
        }
    }

    CoreBench bench_;
    Episode episode_;
    std::string fault_;
};

}  // namespace

int list_scenarios() {
    for (const Scenario& scenario : scenarios()) {
        const ExpectedFailure* const known = expected_failure(scenario.name);
        std::cout << scenario.name << ": " << scenario.shows;
        if (known != nullptr) std::cout << " (fails: " << known->reason << ')';
        std::cout << '\n';
    }
    return 0;
}

int run_scenarios(const std::string& name, const std::filesystem::path& captures, const MarketRules& rules) {
    Beginning beginning(rules);
    unsigned passed = 0, failed = 0;
    for (const Scenario& scenario : scenarios()) {
        if (name != "all" && name != scenario.name) continue;
        const std::string fault = beginning.play(scenario, captures);
        const ExpectedFailure* const known = expected_failure(scenario.name);
        const bool right =
            known == nullptr ? fault.empty() : fault.starts_with(std::string(known->property) + ':');
        ++(right ? passed : failed);
        if (fault.empty() && known != nullptr)
            std::cout << "FAILED " << scenario.name
                      << ": it passes now, take it off the list of expected failures (" << known->reason
                      << ")\n";
        else if (!fault.empty())
            std::cout << (right ? "expected " : "FAILED ") << scenario.name << ": " << fault << '\n';
    }
    std::cout << passed << " passed, " << failed << " failed" << std::endl;
    if (passed + failed == 0) {
        std::cerr << "no scenario is called " << name << '\n';
        return 2;
    }
    return failed == 0 ? 0 : 1;
}

}  // namespace fixaccel::hostile
