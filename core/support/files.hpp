// Reading and writing files so that a user never finds a half-written one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rgtrans {

// The whole file, or the whole of standard input for "-". Throws Error.
std::string read_file(const std::filesystem::path& path);

// Writes to a temporary name in the same folder and renames it. "-" is standard output. Throws Error.
void write_file(const std::filesystem::path& path, std::string_view text);

// The same text exactly for names of one file, through links of either kind; a file need not exist. "-" is the standard
// stream of that descriptor; what is no file there (a terminal, a pipe) has the key "".
std::string file_key(const std::filesystem::path& path, int standard_stream);

}  // namespace rgtrans
