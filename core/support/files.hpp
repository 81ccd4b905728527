// Reads and writes files. A failed or interrupted write never leaves a half-written file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rgtrans {

// Reads the whole file, or all of standard input for "-". Throws Error.
std::string read_file(const std::filesystem::path& path);

// Writes to a temporary file in the same folder and renames it. "-" writes to standard output. Throws Error.
void write_file(const std::filesystem::path& path, std::string_view text);

// A key that is equal exactly for names of the same file, through symbolic and hard links; the file need not exist. "-"
// names the given standard stream. A stream that is not a file, such as a terminal or a pipe, has the key "".
std::string file_key(const std::filesystem::path& path, int standard_stream);

}  // namespace rgtrans
