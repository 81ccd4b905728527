#include "frontends/ludii/text/defines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "core/support/archive.hpp"
#include "core/support/pieces.hpp"
#include "frontends/ludii/limits.hpp"

namespace rgtrans::ludii {

namespace {

constexpr std::string_view kDefines = ".def";

// Bodies by name. The name inside of the file counts.
using Defines = std::map<std::string, SourceText, std::less<>>;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// The first define of a name counts.
void take_defines(SourceText& text, Defines& defines) {
  while (const auto clause = cut_clause(text, "define")) {
    const std::size_t quote = clause->chars.find('"');
    if (quote == std::string::npos) throw Refused(clause->range(0, 7), "a define has a name", "(define \"Name\" …)");
    const std::size_t behind = end_of_string(*clause, quote);
    std::size_t begin = behind, end = clause->size() - 1;
    while (begin < end && is_space(clause->chars[begin])) ++begin;
    while (end > begin && is_space(clause->chars[end - 1])) --end;
    defines.try_emplace(clause->chars.substr(quote + 1, behind - quote - 2), clause->part(begin, end));
  }
}

// Folders of Ludii that hold its defines, as in its sources, its archive, or by themselves.
std::optional<std::filesystem::path> folder_below(const std::filesystem::path& ludii) {
  std::error_code error;
  for (const char* const inside : {"def", "Common/res/def", ""}) {
    std::filesystem::path folder = ludii / inside;
    if (std::filesystem::is_directory(folder, error)) return folder;
  }
  return std::nullopt;
}

std::optional<std::filesystem::path> folder_of_defines(const std::string& file_name, const std::string& ludii) {
  namespace fs = std::filesystem;
  if (!ludii.empty()) {
    if (auto folder = folder_below(ludii)) return folder;
    throw Error(fmt::format("{}: no folder of Ludii's defines", ludii),
                "name Ludii.jar, the folder of Ludii's sources, or its folder def");
  }
  if (const char* const home = std::getenv("LUDII_HOME"); home != nullptr) {
    if (auto folder = folder_below(home)) return folder;
  }
  std::error_code error;
  fs::path folder = fs::absolute(file_name, error).parent_path();
  while (!error) {
    if (fs::is_directory(folder / "def", error)) return folder / "def";
    if (folder == folder.parent_path()) return std::nullopt;
    folder = folder.parent_path();
    error.clear();
  }
  return std::nullopt;
}

void check_number_of_files(std::size_t number, const std::string& place) {
  if (number > limits::define_files)
    throw Error(fmt::format("{}: more than {} files of defines", place, limits::define_files.value()),
                limits::define_files.advice());
}

// Ludii.jar has its defines in the folder def.
Defines defines_of_archive(const std::string& ludii, Sources& sources) {
  std::map<std::string, std::string> texts;
  try {
    ArchiveReader archive(ludii);
    while (const auto entry = archive.next()) {
      const bool below_def = entry->name.starts_with("def/") || entry->name.find("/def/") != std::string::npos;
      if (entry->kind != ArchiveReader::Kind::file || !below_def || !entry->name.ends_with(kDefines)) continue;
      std::string& text = texts[fmt::format("{}/{}", ludii, entry->name)];
      archive.read([&](std::int64_t, std::string_view piece) {
        check_text_size(entry->name, text.size() + piece.size());
        text += piece;
        return true;
      });
      check_number_of_files(texts.size(), ludii);
    }
  } catch (const Error& error) {
    const Diagnostic& first = error.diagnostics().front();
    throw Error(first.message.starts_with(ludii) ? first.message : fmt::format("{}: {}", ludii, first.message),
                first.hint);
  }
  Defines defines;
  for (auto& [name, text] : texts) {
    const Sources::File& file = sources.add(name, std::move(text));
    SourceText source = without_comments(SourceText(file.text, file.base));
    take_defines(source, defines);
  }
  return defines;
}

Defines known_defines(const std::string& file_name, const std::string& ludii, Sources& sources) {
  Defines defines;
  for (const std::filesystem::path& path : files_of_defines(file_name, ludii)) {
    if (path.extension() != kDefines) return defines_of_archive(path.string(), sources);
    const Sources::File& file = sources.add(path.string(), read_regular_file(path));
    SourceText text = without_comments(SourceText(file.text, file.base));
    take_defines(text, defines);
  }
  return defines;
}

// The arguments of a call, whose text begins behind the name and ends before the closing bracket.
std::vector<SourceText> arguments_of(const SourceText& text, std::size_t begin, std::size_t end) {
  std::vector<SourceText> arguments;
  std::size_t at = begin;
  while (true) {
    while (at < end && is_space(text.chars[at])) ++at;
    if (at >= end) return arguments;
    const auto opens = [&](std::size_t i) { return std::string_view("({\"").find(text.chars[i]) != std::string::npos; };
    std::size_t behind = at;
    while (behind < end && !is_space(text.chars[behind]) && !opens(behind)) ++behind;
    // A bracket or string is an argument of its own, unless it has a label.
    if (behind < end && opens(behind) && (behind == at || text.chars[behind - 1] == ':'))
      behind = text.chars[behind] == '"' ? end_of_string(text, behind) : end_of_bracket(text, behind);
    arguments.push_back(text.part(at, behind));
    at = behind;
  }
}

// Replacement stops at the first parameter that does not occur, so that a body with #2 but without #1 stays as it is.
SourceText filled(SourceText body, const std::vector<SourceText>& arguments) {
  for (std::size_t number = 1; number <= 9; ++number) {
    const std::string marker = fmt::format("#{}", number);
    if (body.chars.find(marker) == std::string::npos) break;
    const SourceText* const argument = number <= arguments.size() ? &arguments[number - 1] : nullptr;
    const bool nothing = argument == nullptr || trimmed(argument->chars) == "~";
    SourceText result;
    std::size_t at = 0;
    while (true) {
      const std::size_t found = body.chars.find(marker, at);
      if (found == std::string::npos) break;
      result.append(body, at, found);
      if (!nothing) result.append(*argument);
      at = found + marker.size();
    }
    result.append(body, at, body.size());
    body = std::move(result);
  }
  return body;
}

// Whether the name is that of a game, which may equal that of a define.
bool names_a_game(const SourceText& text, std::size_t quote) {
  std::size_t end = quote;
  while (end > 0 && is_space(text.chars[end - 1])) --end;
  for (const std::string_view word : {"(game", "(match", "instance"}) {
    if (end >= word.size() && text.chars.compare(end - word.size(), word.size(), word) == 0) return true;
  }
  return false;
}

class Expansion {
 public:
  Expansion(SourceText& text, const std::string& file_name, const std::string& ludii, Sources& sources)
      : text_(text), file_name_(file_name), ludii_(ludii), sources_(sources) {
    take_defines(text_, local_);
  }

  // Scans the text once; a replacement is scanned again from its begin.
  void run() {
    SourceText done;
    std::vector<SourceText> rest{std::move(text_)};
    std::vector<std::size_t> at{0};
    while (!rest.empty()) {
      SourceText& top = rest.back();
      const std::size_t quote = next_string(top, at.back());
      if (quote == std::string::npos) {
        done.append(top, at.back(), top.size());
        rest.pop_back();
        at.pop_back();
        continue;
      }
      const std::size_t end = end_of_string(top, quote);
      const SourceText* const body =
          names_a_game(top, quote) ? nullptr : find(top.chars.substr(quote + 1, end - quote - 2));
      const bool call = quote > 0 && top.chars[quote - 1] == '(';
      if (body == nullptr && call) {
        throw Refused(top.range(quote, end), fmt::format("there is no define {}", top.chars.substr(quote, end - quote)),
                      known_ && !known_->empty()
                          ? ""
                          : "--ludii PATH reads the defines of Ludii, from a folder or from Ludii.jar");
      }
      if (body == nullptr) {
        done.append(top, at.back(), end);
        at.back() = end;
        continue;
      }
      const Range where = top.range(quote, end);
      if (++expansions_ > limits::expansions)
        throw Refused(where, "there are too many uses of defines, perhaps without end", limits::expansions.advice());
      const std::size_t behind = call ? end_of_bracket(top, quote - 1) : end;
      done.append(top, at.back(), call ? quote - 1 : quote);
      SourceText result = filled(*body, call ? arguments_of(top, end, behind - 1) : std::vector<SourceText>());
      size_ += result.size();
      if (size_ > limits::characters)
        throw Refused(where, "the defines make the text too long", limits::characters.advice());
      at.back() = behind;
      rest.push_back(std::move(result));
      at.push_back(0);
    }
    text_ = std::move(done);
  }

 private:
  static std::size_t next_string(const SourceText& text, std::size_t at) { return text.chars.find('"', at); }

  const SourceText* find(const std::string& name) {
    if (const auto found = local_.find(name); found != local_.end()) return &found->second;
    if (!known_) known_ = known_defines(file_name_, ludii_, sources_);
    const auto found = known_->find(name);
    return found == known_->end() ? nullptr : &found->second;
  }

  SourceText& text_;
  const std::string &file_name_, &ludii_;
  Sources& sources_;
  Defines local_;
  std::optional<Defines> known_;
  std::size_t expansions_ = 0, size_ = 0;
};

}  // namespace

std::vector<std::filesystem::path> files_of_defines(const std::string& file_name, const std::string& ludii) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_regular_file(ludii, error)) return {ludii};
  if (const char* const home = std::getenv("LUDII_HOME");
      ludii.empty() && home != nullptr && fs::is_regular_file(home, error))
    return {home};
  std::vector<fs::path> paths;
  const auto folder = folder_of_defines(file_name, ludii);
  if (!folder) return paths;
  error.clear();
  for (auto it = fs::recursive_directory_iterator(*folder, error); !error && it != fs::end(it); it.increment(error)) {
    if (it->path().extension() == kDefines) paths.push_back(it->path());
    check_number_of_files(paths.size(), folder->string());
  }
  std::ranges::sort(paths);
  return paths;
}

void expand_defines(SourceText& text, const std::string& file_name, const std::string& ludii, Sources& sources) {
  Expansion(text, file_name, ludii, sources).run();
}

}  // namespace rgtrans::ludii
