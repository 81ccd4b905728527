// The seal of a compiled game: a file beside its program and its library with the digests of both. Loading a library
// runs it, so a file that is not as it was written (cut by a full disk, changed by a broken one) is compiled again
// instead. A seal is compared with the one that the files should have, and never parsed. It does not protect against
// somebody who can write into the folder.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace rgtrans::cpp {

inline constexpr std::string_view kSealName = "seal";

// The text of the seal of these files of a folder; empty if one of them is missing, is no plain file, or cannot be
// read.
std::string seal_text(const std::filesystem::path& folder, std::span<const std::string> names);
// The folder has all these files, and a seal that fits them.
bool is_sealed(const std::filesystem::path& folder, std::span<const std::string> names);

}  // namespace rgtrans::cpp
