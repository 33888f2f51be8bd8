// SPDX-License-Identifier: Apache-2.0
// Random messages of all kinds, the same for the same seed, and what both engines make of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "matching/engine.hpp"

namespace fixaccel::exchange {

// Two instruments: one with ticks of 1 around zero, one with a tick table and lots of 10.
std::vector<BookRules> random_rules();

// Prices are few, so that orders meet. Orders are named by reference; which engine calls them what is filled
// in as they are played.
std::vector<Message> random_messages(std::uint64_t seed, std::size_t count);

// `seen` counts events by kind and reason. Plays them to the engine and to the plain one. Empty if both say
// and show the same after every message and the book keeps its laws; otherwise what differed first.
std::string difference(std::vector<Message> messages, std::map<std::string, std::uint64_t>* seen = nullptr);

// What is left of messages that show a difference after all that can be left out is gone, a line each.
std::string shrunk(std::vector<Message> messages);

std::string to_text(const Message& message);
std::string to_text(const Event& event);

}  // namespace fixaccel::exchange
