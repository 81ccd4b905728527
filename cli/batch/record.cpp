#include "cli/batch/record.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid.hpp>
#include <iterator>

#include "core/support/json_integer.hpp"

namespace rgtrans::batch {

namespace {

constexpr std::array<std::string_view, kStatuses> kNames = {"converted",     "rejected", "timed out",
                                                            "out of memory", "crashed",  "unreadable"};

Status status_from(const std::string& name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Status>(i);
  }
  return Status::crashed;
}

}  // namespace

std::string_view name_of(Status status) { return kNames[static_cast<std::size_t>(status)]; }

bool Record::worth_another_try() const {
  return (status != Status::converted && status != Status::rejected) || !unfinished.empty();
}

nlohmann::json to_json(const Record& record, bool times) {
  nlohmann::json object = {{"output", record.output},
                           {"input", record.input},
                           {"language", record.language},
                           {"key", record.key},
                           {"status", name_of(record.status)}};
  if (!record.message.empty()) object["message"] = record.message;
  if (!record.diagnostics.empty()) object["diagnostics"] = record.diagnostics;
  if (!record.output_hash.empty()) object["output_hash"] = record.output_hash;
  if (!record.stats.empty()) object["stats"] = record.stats;
  if (!record.drawing.empty()) object["drawing"] = record.drawing;
  if (!record.board.empty()) object["board"] = record.board;
  if (!record.perft.empty()) object["perft"] = record.perft;
  if (!record.playouts.empty()) object["playouts"] = record.playouts;
  if (!record.unfinished.empty()) object["unfinished"] = record.unfinished;
  if (record.timeout > 0) object["limits"] = {{"seconds", record.timeout}, {"memory", record.memory_limit}};
  if (times) {
    object["seconds"] = record.seconds;
    object["cpu_seconds"] = record.cpu_seconds;
    object["peak_memory"] = record.peak_memory;
  }
  return object;
}

Record record_from(const nlohmann::json& object) {
  Record record;
  record.output = object.at("output").get<std::string>();
  record.input = object.value("input", "");
  record.language = object.value("language", "");
  record.key = object.value("key", "");
  record.status = status_from(object.at("status").get<std::string>());
  record.message = object.value("message", "");
  record.diagnostics = object.value("diagnostics", nlohmann::json::array());
  record.output_hash = object.value("output_hash", "");
  record.stats = object.value("stats", nlohmann::json::object());
  record.drawing = object.value("drawing", std::string());
  record.board = object.value("board", std::string());
  for (const nlohmann::json& count : object.value("perft", nlohmann::json::array())) {
    record.perft.push_back(integer_of<std::uint64_t>(count).value_or(0));
  }
  record.playouts = object.value("playouts", nlohmann::json::object());
  record.unfinished = object.value("unfinished", "");
  if (const auto limits = object.find("limits"); limits != object.end()) {
    record.timeout = limits->value("seconds", 0.0);
    record.memory_limit = integer_at<std::uint64_t>(*limits, "memory");
  }
  record.seconds = object.value("seconds", 0.0);
  record.cpu_seconds = object.value("cpu_seconds", 0.0);
  record.peak_memory = integer_at<std::uint64_t>(object, "peak_memory");
  return record;
}

std::string line_of(const nlohmann::json& object) {
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string content_hash(std::string_view text) {
  static const boost::uuids::name_generator_sha1 kGenerator{boost::uuids::uuid{}};
  const boost::uuids::uuid id = kGenerator(text.data(), text.size());
  std::string digits;
  for (const std::uint8_t byte : id) fmt::format_to(std::back_inserter(digits), "{:02x}", byte);
  return digits;
}

}  // namespace rgtrans::batch
