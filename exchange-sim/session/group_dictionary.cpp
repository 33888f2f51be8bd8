// SPDX-License-Identifier: Apache-2.0
#include "session/group_dictionary.hpp"

#include <initializer_list>
#include <memory>

#include "session/message.hpp"

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

}  // namespace

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
