// SPDX-License-Identifier: Apache-2.0
// What is wrong with a file that a user wrote: each problem with its place and a way out, all of them at
// once.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace fixaccel::exchange {

struct Problem {
    int line = 0;    // 1-based; 0: the file as a whole
    int column = 0;  // 1-based
    std::string message;
    std::string help;
};

// Bad input from the user; what() is ready to print.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Problems {
  public:
    Problems(std::string file, const std::string& source);

    void add(int line, int column, std::string message, std::string help);
    bool empty() const { return problems_.empty(); }

    // FILE:LINE:COLUMN: message, the source line with a caret, and the help line, for each problem.
    std::string render() const;
    // Throws InputError if there is any problem.
    void raise() const;

  private:
    std::string file_;
    std::vector<std::string> lines_;
    std::vector<Problem> problems_;
};

// The candidate nearest to a misspelt word; empty if none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace fixaccel::exchange
