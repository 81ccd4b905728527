// Folders of compiled games. A complete folder is sealed: it has a list of its files with their digests, and all of it
// is on the disk. A folder that was changed since, or that another user could have written, is never used.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans::cpp {

// The lines of /proc/cpuinfo that tell for which instructions a compiler makes code on this machine. A folder may be
// shared by machines with other processors.
[[nodiscard]] std::string processor_of(std::string_view cpuinfo);

inline constexpr std::string_view kSealName = "sealed";  // the list: a digest and a name a line

// Makes the folder where it does not exist. Nobody else may write to it afterwards; throws Error where that cannot be
// had, because it belongs to another user or everybody could write there before. With `links` it may be a link of this
// user's to such a folder; in a place where everybody makes files it may not.
void make_private(const std::filesystem::path& folder, bool links = true);

void seal(const std::filesystem::path& folder);
// Whether the folder is sealed, ours alone, and all its files are as they were then; these are among them.
bool intact(const std::filesystem::path& folder, const std::vector<std::string>& names);
// Puts a sealed folder in place, in one step that lasts. A folder there that is not intact goes. False where somebody
// else was faster.
bool put_in_place(const std::filesystem::path& made, const std::filesystem::path& target,
                  const std::vector<std::string>& names);

}  // namespace rgtrans::cpp
