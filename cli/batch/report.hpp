// The report at the end of a run: a table for people, and files for people and programs.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/batch/batch.hpp"
#include "cli/batch/record.hpp"

namespace rgtrans::batch {

// By language: how many games were converted or failed, the reasons, their sizes; then the slowest games and the
// failures.
std::string summary(const std::vector<Record>& records, std::size_t taken_over, double seconds);

// Throws WrongUse for an extension that is not .json, .csv or .html.
void check_report_name(const std::filesystem::path& path);
void write_report(const std::filesystem::path& path, const std::vector<Record>& records, const Options& options);
std::string json_report(const std::vector<Record>& records, const Options& options);
std::string csv_report(const std::vector<Record>& records, bool times);
// One page without references to anything outside.
std::string html_report(const std::vector<Record>& records, const Options& options);

}  // namespace rgtrans::batch
