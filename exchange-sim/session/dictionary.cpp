// SPDX-License-Identifier: Apache-2.0
#include "session/dictionary.hpp"

#include <fstream>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>

#include "session/dictionary_file.hpp"
#include "session/message.hpp"
#include "session/session_host.hpp"

namespace fixaccel {
namespace exchange {
namespace {

// The first field of a group begins each entry.
void add_group(FIX::DataDictionary& dictionary, const std::string& type, int counter,
               std::initializer_list<int> fields) {
    FIX::DataDictionary entry;
    for (const int field : fields) entry.addField(field);
    dictionary.addGroup(type, counter, *fields.begin(), entry);
}

// The engine believes the length that a client gives for a field of raw data, and reads as far behind the
// message as that goes, or ends the program: such fields end like any other here.
std::string without_data_fields(std::string text) {
    for (const char quote : {'\'', '"'}) {
        const std::string data = std::string("type=") + quote + "DATA" + quote;
        const std::string plain = std::string("type=") + quote + "STRING" + quote;
        for (std::size_t at = text.find(data); at != std::string::npos; at = text.find(data, at))
            text.replace(at, data.size(), plain);
    }
    return text;
}

// A file of half a megabyte and a fifth of a second; nothing changes what was read.
std::shared_ptr<FIX::DataDictionary> read_once(const std::string& path) {
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<FIX::DataDictionary>> known;
    std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<FIX::DataDictionary>& dictionary = known[path];
    if (dictionary != nullptr) return dictionary;
    try {
        std::ifstream file(path);
        std::stringstream text;
        text << file.rdbuf();
        std::istringstream document(without_data_fields(text.str()));
        dictionary = std::make_shared<FIX::DataDictionary>(document);
    } catch (const FIX::Exception& error) {
        throw SessionHostError("FIX dictionary " + path + ": " + error.what());
    }
    return dictionary;
}

}  // namespace

FIX::DataDictionaryProvider session_dictionary(const SessionConfig& config) {
    if (!config.validate) return group_dictionary(config.begin_string);
    const std::string path = find_dictionary(config.dictionary_path);
    const std::shared_ptr<FIX::DataDictionary> dictionary = read_once(path);
    if (dictionary->getVersion() != config.begin_string)
        throw SessionHostError("FIX dictionary " + path + " is of " + dictionary->getVersion() +
                               ", the sessions are of " + config.begin_string);
    const auto own = std::make_shared<FIX::DataDictionary>(*dictionary);
    own->checkFieldsOutOfOrder(config.validate_order);
    own->checkFieldsHaveValues(config.validate_values);
    own->checkUserDefinedFields(config.validate_user_fields);
    FIX::DataDictionaryProvider provider;
    provider.addTransportDataDictionary(FIX::BeginString(config.begin_string), own);
    return provider;
}

FIX::DataDictionaryProvider group_dictionary(const std::string& begin_string) {
    const auto dictionary = std::make_shared<FIX::DataDictionary>();
    add_group(*dictionary, "V", tag::kNoMdEntryTypes, {tag::kMdEntryType});
    // Instrument block: symbol, then what clients add to it.
    add_group(*dictionary, "V", tag::kNoRelatedSym,
              {tag::kSymbol, 65, 48, 22, 460, 461, 167, 200, 205, 207, 106, 107});
    // Entry blocks; the venue itself uses the fields with a name.
    add_group(*dictionary, "W", tag::kNoMdEntries,
              {tag::kMdEntryType, tag::kMdEntryPx, tag::kMdEntrySize, tag::kMdEntryPositionNo, 15, 272, 273,
               275, 276, 277, 278, 299, 336, 346, 625});
    add_group(*dictionary, "X", tag::kNoMdEntries,
              {tag::kMdUpdateAction, tag::kMdEntryType, tag::kSymbol, tag::kMdEntryPx, tag::kMdEntrySize,
               tag::kMdEntryPositionNo, 15, 272, 273, 278, 280, 285, 346});
    FIX::DataDictionaryProvider provider;
    provider.addTransportDataDictionary(FIX::BeginString(begin_string), dictionary);
    return provider;
}

}  // namespace exchange
}  // namespace fixaccel
