// SPDX-License-Identifier: Apache-2.0
#include "config/problems.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

namespace fixaccel::exchange {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
        }
    }
    return row.back();
}

}  // namespace

Problems::Problems(std::string file, const std::string& source) : file_(std::move(file)) {
    std::istringstream stream(source);
    for (std::string line; std::getline(stream, line);) lines_.push_back(line);
}

void Problems::add(int line, int column, std::string message, std::string help) {
    problems_.push_back({line, column, std::move(message), std::move(help)});
}

std::string Problems::render() const {
    std::ostringstream out;
    for (const Problem& problem : problems_) {
        out << file_;
        if (problem.line > 0) out << ':' << problem.line << ':' << problem.column;
        out << ": error: " << problem.message << '\n';
        const auto index = static_cast<std::size_t>(problem.line) - 1;
        if (problem.line > 0 && index < lines_.size()) {
            out << "    " << lines_[index] << '\n';
            out << "    " << std::string(static_cast<std::size_t>(problem.column) - 1, ' ') << "^\n";
        }
        if (!problem.help.empty()) out << "  help: " << problem.help << '\n';
    }
    return out.str();
}

void Problems::raise() const {
    if (!empty()) throw InputError(render());
}

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t distance = 3;
    for (const std::string& candidate : candidates) {
        const std::size_t here = edit_distance(word, candidate);
        if (here < distance) {
            distance = here;
            best = candidate;
        }
    }
    return best;
}

}  // namespace fixaccel::exchange
