// The result of one game after its worker has ended: a line of the journal and an entry of the reports.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans::batch {

enum class Status { converted, rejected, timed_out, out_of_memory, crashed, unreadable };
inline constexpr std::size_t kStatuses = 6;

// "converted", "rejected", "timed out", …
std::string_view name_of(Status status);

// Of a message, where there is room for one line.
inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

struct Record {
  std::string output;    // below the output folder; no two games have the same
  std::string input;     // as messages name it
  std::string language;  // "" when it never became known
  std::string key;       // hash of all that the result depends on
  Status status = Status::crashed;
  std::string message;                                   // the failure, as a person reads it
  nlohmann::json diagnostics = nlohmann::json::array();  // errors and warnings with their places
  std::string output_hash;                               // of the output
  nlohmann::json stats = nlohmann::json::object();       // backends/stats
  std::string drawing;                                   // of a small automaton, as SVG
  std::string board;                                     // of the position at the start, as SVG
  std::vector<std::uint64_t> perft;                      // at depth 1, 2, …
  nlohmann::json playouts = nlohmann::json::object();    // with a histogram of lengths
  std::string unfinished;                                // why perft or playouts are not complete; else ""
  double timeout = 0;                                    // the limits under which it failed
  std::uint64_t memory_limit = 0;
  double seconds = 0, cpu_seconds = 0;
  std::uint64_t peak_memory = 0;  // bytes

  // A second attempt may end differently: it was stopped from outside of the rules of the game.
  [[nodiscard]] bool worth_another_try() const;
};

nlohmann::json to_json(const Record& record, bool times);
// Throws nlohmann::json::exception when the object is not a record.
Record record_from(const nlohmann::json& object);

// One line; bytes that are no UTF-8 become U+FFFD.
std::string line_of(const nlohmann::json& object);

// 32 hexadecimal digits.
// 122 bits of SHA-1. Equal ones are taken for the same text, which only somebody who looks for a collision can make
// wrong; he gets a wrong line in a journal of his own.
std::string content_hash(std::string_view text);

}  // namespace rgtrans::batch
