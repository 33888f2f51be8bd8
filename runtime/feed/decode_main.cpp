// SPDX-License-Identifier: Apache-2.0
// The program interpreter behind standard input and output, for tests that compare it with others, and for
// `bench`.
//
// Lines `numbers N...` and `symbols HEX...` (the venue's instruments in order, for programs from then on),
// `program HEX` and `data HEX`; an answer each, one line of JSON: `{}` or `{"refused": TEXT}` of a program;
// of a datagram `{"events": [[what, at, value...], ...], "counts": [R6, R7, R8, R9]}`, or `{"fault": [code,
// byte, at, routine, call...], "counts": ...}`. Texts are hexadecimal. With `bench PROGRAM DATA ROUNDS` it
// reads the files, decodes the datagrams in DATA (each behind its length, two bytes, the highest first) so
// many times, and prints the nanoseconds of each round and a sum of what was decoded.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "answers.hpp"
#include "fixaccel/feed_interpreter.hpp"

using namespace fixaccel::feed;

namespace {

std::string answer(Interpreter& interpreter, std::span<const std::uint8_t> data) {
    Events sink;
    const Outcome outcome = interpreter.decode(data, sink);
    return answer_of(outcome, sink.json);
}

void read_numbers(const std::string& line, Instruments& known) {
    std::istringstream words(line.substr(std::string_view("numbers").size()));
    known.numbers.assign(std::istream_iterator<std::uint64_t>(words), {});
}

void read_symbols(const std::string& line, Instruments& known) {
    std::istringstream words(line.substr(std::string_view("symbols").size()));
    known.symbols.clear();
    for (std::string word; words >> word;) {
        const auto bytes = bytes_of(word);
        known.symbols.emplace_back(bytes.begin(), bytes.end());
    }
}

int converse() {
    std::unique_ptr<Program> program;
    std::unique_ptr<Interpreter> interpreter;
    Instruments known;
    for (std::string line; std::getline(std::cin, line);) {
        if (line.starts_with("numbers") || line.starts_with("symbols")) {
            (line.starts_with("numbers") ? read_numbers : read_symbols)(line, known);
            std::cout << "{}\n" << std::flush;
            continue;
        }
        const std::size_t space = line.find(' ');
        const auto bytes = bytes_of(std::string_view(line).substr(std::min(space + 1, line.size())));
        if (line.starts_with("program")) {
            try {
                auto made = std::make_unique<Program>(read_program(bytes));
                interpreter = std::make_unique<Interpreter>(*made, known);
                program = std::move(made);
                std::cout << "{}\n" << std::flush;
            } catch (const ProgramError& error) {
                std::cout << R"({"refused":")" << error.what() << "\"}\n" << std::flush;
            }
        } else if (interpreter) {
            std::cout << answer(*interpreter, bytes) << '\n' << std::flush;
        }
    }
    return 0;
}

// All values added up, so that nothing is left out.
struct Sum {
    std::uint64_t sum = 0;
    std::uint64_t messages = 0;
    void message(int /*routine*/) { ++messages; }
    void number(unsigned /*at*/, const Word& /*word*/, std::uint64_t value) { sum += value; }
    void decimal(unsigned /*at*/, const Word& /*word*/, int exponent, std::int64_t mantissa) {
        sum += static_cast<std::uint64_t>(mantissa) + static_cast<std::uint64_t>(exponent);
    }
    void text(unsigned /*at*/, const Word& /*word*/, std::span<const std::uint8_t> bytes) {
        for (const std::uint8_t byte : bytes) sum += byte;
    }
    void group(unsigned /*at*/) {}
    void sequence(unsigned /*at*/, std::uint32_t length) { sum += length; }
    void element(unsigned /*at*/) {}
    void call(unsigned /*at*/, int /*routine*/) {}
    void leave(unsigned /*at*/) {}
    void end(unsigned /*at*/) {}
};

std::vector<std::uint8_t> file_of(const char* name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

int bench(const char* program_file, const char* data_file, int rounds) {
    const Program program = read_program(file_of(program_file));
    const auto data = file_of(data_file);
    Interpreter interpreter(program);
    for (int round = 0; round < rounds; ++round) {
        Sum sink;
        const auto begin = std::chrono::steady_clock::now();
        for (std::size_t at = 0; at + 2 <= data.size();) {
            const std::size_t size = static_cast<std::size_t>(data[at]) << 8 | data[at + 1];
            if (interpreter.decode(std::span(data).subspan(at + 2, size), sink).fault != 0) return 1;
            at += 2 + size;
        }
        const auto took = std::chrono::steady_clock::now() - begin;
        std::printf("%lld %llu %llu\n", static_cast<long long>(std::chrono::nanoseconds(took).count()),
                    static_cast<unsigned long long>(sink.messages),
                    static_cast<unsigned long long>(sink.sum));
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 5 && std::string_view(argv[1]) == "bench")
            return bench(argv[2], argv[3], std::stoi(argv[4]));
        return converse();
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
