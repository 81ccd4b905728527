#include "cli/batch/inputs.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unordered_set>

#include "cli/batch/process.hpp"
#include "core/support/pieces.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::batch {

namespace {

namespace fs = std::filesystem;

// `*` matches slashes, too, so that '*.kif' and 'draughts*' find games in every folder.
bool matches(const std::string& glob, const std::string& path) {
  if (::fnmatch(glob.c_str(), path.c_str(), 0) == 0) return true;
  for (std::size_t at = 0; at < path.size();) {
    std::size_t end = path.find('/', at);
    if (end == std::string::npos) end = path.size();
    if (::fnmatch(glob.c_str(), path.substr(at, end - at).c_str(), 0) == 0) return true;
    at = end + 1;
  }
  return false;
}

bool matches_any(const std::vector<std::string>& globs, const std::string& path) {
  return std::ranges::any_of(globs, [&](const std::string& glob) { return matches(glob, path); });
}

bool hidden(const std::string& relative) {
  return relative.starts_with('.') || relative.find("/.") != std::string::npos;
}

bool known_extension(const Options& options, const std::string& extension) {
  return std::ranges::any_of(frontends(), [&](const Frontend* f) {
    return (options.language.empty() || f->name == options.language) &&
           std::ranges::find(f->extensions, extension) != f->extensions.end();
  });
}

// Data of all kinds is in .json files, and next to games there are notes and results that --include may match. Only the
// games among them are wanted.
bool looks_like_game(const fs::path& file) {
  const std::string extension = file.extension().string();
  const bool json = extension == ".json";
  if (!json && known_extension({}, extension)) return true;
  try {
    check_text_size(file.string(), fs::file_size(file));
    const std::string text = read_regular_file(file);
    return std::ranges::any_of(frontends(), [&](const Frontend* f) {
      return f->looks_like(text) > 0 && (!json || std::ranges::find(f->extensions, extension) != f->extensions.end());
    });
  } catch (const Error&) {
    return true;  // let the worker say why it cannot be read
  }
}

class Collector {
 public:
  Collector(const Options& options, fs::path spool) : options_(options), spool_(std::move(spool)) {
    std::error_code ignored;
    if (!options.output.empty()) output_ = fs::weakly_canonical(options.output, ignored);
  }

  Collected run() {
    std::size_t trees = 0;
    std::error_code ignored;
    for (const std::string& input : options_.inputs)
      trees += input.starts_with('@') || fs::is_regular_file(input, ignored) ? 0 : 1;
    for (const std::string& input : options_.inputs) trees += !input.starts_with('@') && is_archive(input) ? 1 : 0;
    // A single folder is mirrored as it is; of several each gets a folder of its own.
    for (const std::string& input : options_.inputs) {
      if (input.starts_with('@')) {
        list(input.substr(1));
      } else {
        top(input, fs::path(input).filename().string(), trees > 1 || options_.inputs.size() > 1);
      }
    }
    std::ranges::sort(inputs_, {}, &Input::relative);
    return {std::move(inputs_), std::move(files_), std::move(passed_over_)};
  }

 private:
  void list(const std::string& name) {
    files_.insert(file_key(name, STDIN_FILENO));
    std::istringstream lines(read_file(name));
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.empty() || line.front() == '#') continue;
      top(line, safe_relative(line), true);
    }
  }

  void top(const std::string& input, const std::string& relative, bool own_folder) {
    std::error_code error;
    const fs::file_status status = fs::status(input, error);
    if (!fs::exists(status)) {
      const std::string why = error ? error.message() : std::generic_category().message(ENOENT);
      inputs_.push_back({input, input, safe_relative(relative), "cannot be opened: " + why});
    } else if (fs::is_directory(status)) {
      const fs::path canonical = fs::canonical(input);
      if (canonical == output_) throw WrongUse("the output folder must not be the folder that is converted");
      std::string base = safe_relative(relative);
      if (base.empty() || base == ".") base = safe_relative(canonical.filename().string());
      walk(input, own_folder ? base + "/" : "");
    } else if (!fs::is_regular_file(status)) {  // pipes and devices can be read but once, or for ever
      inputs_.push_back({input, input, safe_relative(relative), "is no regular file"});
    } else if (is_archive(input)) {
      archive(input, input, own_folder ? safe_relative(relative) + "/" : "");
    } else {
      add(input, input, safe_relative(relative));
    }
  }

  void walk(const fs::path& folder, const std::string& prefix) {
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      entries.push_back(*it);
    if (error) {
      inputs_.push_back({folder.string(), folder, prefix + "folder", "cannot be read: " + error.message()});
      return;
    }
    std::ranges::sort(entries);
    for (const fs::directory_entry& entry : entries) {
      const std::string name = entry.path().filename().string();
      const std::string relative = prefix + safe_relative(name);
      if (hidden(name) || matches_any(options_.exclude, relative)) continue;
      if (entry.is_directory(error) && !entry.is_symlink(error)) {
        if (fs::weakly_canonical(entry.path(), error) != output_) walk(entry.path(), relative + "/");
      } else if (!entry.is_regular_file(error)) {
        continue;
      } else if (is_archive(entry.path())) {
        archive(entry.path(), entry.path().string(), relative + "/");
      } else if (wanted(options_, relative)) {
        consider(entry.path(), entry.path().string(), [&] { add(entry.path(), entry.path().string(), relative); });
      }
    }
  }

  // A file that nobody named.
  template <class F>
  void consider(const fs::path& file, const std::string& name, F&& take) {
    if (looks_like_game(file)) {
      take();
    } else if (!options_.include.empty()) {
      passed_over_.push_back(name);
    }
  }

  void add(const fs::path& file, const std::string& name, const std::string& relative) {
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(file, error);
    files_.insert(file_key(file, STDIN_FILENO));
    if (seen_.insert(canonical.string()).second) inputs_.push_back({name, file, relative, ""});
  }

  void archive(const fs::path& file, const std::string& name, const std::string& prefix);

  const Options& options_;
  fs::path spool_, output_;
  std::vector<Input> inputs_;
  std::unordered_set<std::string> seen_, files_;
  std::vector<std::string> passed_over_;
  std::size_t archives_ = 0;
};

// Whatever an archive does to the library that reads it happens in a child.
void Collector::archive(const fs::path& file, const std::string& name, const std::string& prefix) {
  files_.insert(file_key(file, STDIN_FILENO));
  if (!seen_.insert(fs::weakly_canonical(file).string()).second) return;
  const fs::path folder = spool_ / fmt::format("{}", archives_++);
  fs::create_directories(folder);
  Children children;
  children.start(0, {options_.timeout, options_.memory}, folder / "log", [&] {
    try {
      unpack(file, options_, folder);
      return 0;
    } catch (const NoSpace&) {
      throw;
    } catch (const Error& e) {
      std::fputs(e.diagnostics().front().message.c_str(), stderr);
      return 1;
    }
  });
  std::vector<Ended> ended;
  while (ended.empty() && !children.interrupted()) ended = children.wait(3600);
  const auto fail = [&](const std::string& problem) { inputs_.push_back({name, file, prefix + "archive", problem}); };
  if (ended.empty()) throw Interrupted();
  const Ended& end = ended.front();
  if (end.signal == 0 && end.code == kNoSpace)
    throw NoSpace(fmt::format("the disk is full: {} was not unpacked", name), "make room on it");
  if (end.timed_out) fail(fmt::format("unpacking took longer than {:g} s", options_.timeout));
  if (!end.timed_out && (end.signal != 0 || end.code == kOutOfMemory)) fail("unpacking needs too much memory");
  if (end.signal == 0 && end.code == 1) fail(read_file(folder / "log"));
  std::error_code ignored;
  if (!fs::exists(folder / "list.json", ignored)) return;
  for (const auto& entry : nlohmann::json::parse(read_file(folder / "list.json"))) {
    const std::string relative = entry.at("path");
    const fs::path unpacked = folder / entry.at("file").get<std::string>();
    const std::string problem = entry.value("problem", "");
    const std::string shown = name + "/" + entry.at("shown").get<std::string>();
    const auto take = [&] { inputs_.push_back({shown, unpacked, prefix + relative, problem}); };
    if (problem.empty()) {
      consider(unpacked, shown, take);
    } else {
      take();
    }
  }
}

}  // namespace

bool excluded(const Options& options, const std::string& relative) {
  return hidden(relative) || matches_any(options.exclude, relative);
}

bool wanted(const Options& options, const std::string& relative) {
  if (excluded(options, relative)) return false;
  if (!options.include.empty()) return matches_any(options.include, relative);
  return known_extension(options, fs::path(relative).extension().string());
}

bool is_archive(const fs::path& path) {
  static constexpr std::array<std::string_view, 7> kExtensions = {".zip", ".tar",  ".tgz", ".tbz2",
                                                                  ".txz", ".tzst", ".7z"};
  const std::string extension = path.extension().string();
  return std::ranges::find(kExtensions, extension) != kExtensions.end() || path.stem().extension() == ".tar";
}

Collected collect(const Options& options, const fs::path& spool) { return Collector(options, spool).run(); }

}  // namespace rgtrans::batch
