// SPDX-License-Identifier: Apache-2.0
// The file of the kill switch: whatever is in it, it says on, unless a line that is whole says off.
#include <nlohmann/json.hpp>

#include "fixaccel/kill_word.hpp"
#include "scratch_folder.hpp"
#include "sums.hpp"

using namespace fixaccel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ScratchFolder folder;
    const std::string text = fuzz::with_sums(fuzz::text_of(data, size));
    fuzz::write_text(folder.path() / "kill", text);
    const auto word = read_kill_word(folder.path());
    fuzz::require(word.has_value(), "a file that is there says something");
    const std::string line = text.substr(0, text.find('\n'));
    if (!word->on) {
        fuzz::require(fuzz::sum_fits(line), "only a line that is whole says off");
        fuzz::require(nlohmann::json::parse(line.substr(line.find(' '))).at("on") == false,
                      "it does say off");
    }
    write_kill_word(folder.path(), *word);
    const auto again = read_kill_word(folder.path());
    fuzz::require(again && again->on == word->on && again->kills == word->kills && again->by == word->by &&
                      again->time_ns == word->time_ns,
                  "what was read can be written and read again");
    return 0;
}
