// Compiling a reasoner with the system's compiler. A result is kept under a name made from everything that decides it
// (the generated text, the compiler, the flags); it is built in a folder of its own and renamed when complete, so that
// two programs that build the same game at once do not disturb each other. No shell is involved anywhere.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <random>

#include "backends/cpp/cpp.hpp"
#include "backends/cpp/janitor.hpp"

extern char** environ;

namespace rgtrans::cpp {

namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The program that a name stands for, as a shell would find it; "" when there is none.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const std::string path = environment("PATH");
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t colon = std::min(path.find(':', at), path.size());
    std::string candidate = path.substr(at, colon - at) + "/" + name;
    if (colon > at && access(candidate.c_str(), X_OK) == 0) return candidate;
    at = colon + 1;
  }
  return {};
}

// The compiler as the first words of a command line ($CXX may be "ccache g++").
std::vector<std::string> find_compiler(const std::string& wanted) {
  const std::string named = wanted.empty() ? environment("CXX") : wanted;
  if (!named.empty()) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : named + " ") {
      if (c != ' ') {
        word += c;
      } else if (!word.empty()) {
        words.push_back(std::exchange(word, {}));
      }
    }
    if (!words.empty()) words[0] = find_program(words[0]);
    if (words.empty() || words[0].empty()) {
      throw Error("the C++ compiler \"" + named + "\" cannot be found", "check the environment variable CXX");
    }
    return words;
  }
  for (const char* name : {"c++", "g++", "clang++"}) {
    if (std::string program = find_program(name); !program.empty()) return {program};
  }
  throw Error("there is no C++ compiler (c++, g++ or clang++) on this machine",
              "install one, or name it in the environment variable CXX; the interpreter needs none");
}

// The compiler of CUDA.
std::vector<std::string> find_nvcc() {
  const std::string named = environment("NVCC");
  for (const std::string& name :
       named.empty() ? std::vector<std::string>{"nvcc", "/usr/local/cuda/bin/nvcc"} : std::vector<std::string>{named}) {
    if (std::string program = find_program(name); !program.empty()) return {program};
  }
  throw Error("there is no CUDA compiler (nvcc) on this machine",
              "install the CUDA toolkit, or name nvcc in the environment variable NVCC; device=\"cpu\" needs neither");
}

// A folder where everybody may write: what is loaded from it must be ours alone, not something that somebody put there
// before us.
fs::path shared_place(fs::path folder) {
  mkdir(folder.c_str(), 0700);
  struct stat info {};
  constexpr mode_t kOthers = 022;
  if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
      (info.st_mode & kOthers) != 0) {
    throw Error(fmt::format("{} is not a folder of yours alone", folder.string()),
                "set HOME or XDG_CACHE_HOME, where compiled games are kept");
  }
  return folder;
}

fs::path cache_root(const fs::path& wanted) {
  if (!wanted.empty()) return wanted;
  if (const std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) return fs::path(xdg) / "rgtrans";
  if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache" / "rgtrans";
  return shared_place(fs::temp_directory_path() / ("rgtrans-" + std::to_string(getuid())));
}

// Two independent 64-bit hashes as 32 hexadecimal digits.
class Fingerprint {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      a_ = (a_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
      b_ = mix_hash(b_ + static_cast<unsigned char>(c) + 0x9e3779b97f4a7c15ULL);
    }
    a_ = mix_hash(a_ + text.size());
    b_ = mix_hash(b_ ^ text.size());
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}{:016x}", a_, b_); }

 private:
  std::uint64_t a_ = 0xcbf29ce484222325ULL;
  std::uint64_t b_ = 0x243f6a8885a308d3ULL;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Starts a command in the background, in a process group, with its output going to a file.
pid_t start(const std::vector<std::string>& words, const fs::path& output, pid_t group) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (group != 0) {
    posix_spawnattr_setpgroup(&attributes, group);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  }
  pid_t child = 0;
  const int failure = posix_spawn(&child, words[0].c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw Error(fmt::format("cannot run {}: {}", words[0], std::strerror(failure)));
  return child;
}

void finish(pid_t child, const std::vector<std::string>& words, const fs::path& output,
            const std::function<bool()>& stop) {
  constexpr timespec kPause{0, 20'000'000};
  int status = 0;
  for (pid_t ended = 0; ended != child;) {
    ended = waitpid(child, &status, stop ? WNOHANG : 0);
    if (ended < 0 && errno != EINTR) break;
    if (ended == 0 && stop()) throw Stopped();
    if (ended == 0) nanosleep(&kPause, nullptr);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  constexpr std::size_t kShown = 2000;
  std::string said = read_file(output);
  if (said.size() > kShown) said.replace(kShown, std::string::npos, "…");
  throw Error(fmt::format("the compiler failed: {}\n{}", joined(words), said),
              "if this is not a matter of your compiler or memory, it is a mistake in rgtrans");
}

class Builder {
 public:
  Builder(const BuildOptions& options, fs::path folder, std::vector<std::string> compiler,
          std::vector<std::string> sources, const Janitor& janitor)
      : options_(options),
        folder_(std::move(folder)),
        compiler_(std::move(compiler)),
        sources_(std::move(sources)),
        group_(janitor.group()) {}

  std::vector<std::string> run() {
    if (options_.nvcc) {
      compile_for_device();
      return commands_;
    }
    compile_all(options_.profile_guided ? std::vector<std::string>{"-fprofile-generate", "-fprofile-update=single"}
                                        : std::vector<std::string>{});
    if (options_.profile_guided) {
      const std::vector<std::string> play = {(folder_ / "reasoner").string(), "playouts", "1"};
      run_jobs({Job{play, folder_ / "profile.log"}}, 1);
      compile_all({"-fprofile-use", "-fprofile-correction", "-Wno-missing-profile"});
    }
    return commands_;
  }

  static std::vector<std::string> flags(const BuildOptions& options) {
    if (options.nvcc) {
      std::vector<std::string> words = {"-std=c++20", "-O3", "--expt-relaxed-constexpr", "-Xcompiler", "-fPIC"};
      // Where there is a device, for it; else for those that are widely used, and as an assembly that others translate.
      if (fs::exists("/dev/nvidia0")) {
        words.emplace_back("-arch=native");
      } else {
        words.insert(words.end(),
                     {"-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=[sm_90,compute_90]"});
      }
      return words;
    }
    return {"-std=c++20", "-O2", "-march=native", "-fPIC", "-fvisibility=hidden"};
  }

 private:
  // The game once, in a program and in a library.
  void compile_for_device() {
    const auto job = [&](const std::string& name, std::initializer_list<std::string> more) {
      std::vector<std::string> words = command({});
      words.insert(words.end(), more);
      return Job{words, folder_ / (name + ".log")};
    };
    run_jobs({job("game", {"-c", "-o", object("game.cu"), (folder_ / "game.cu").string()}),
              job("program", {"-c", "-o", object("program.cu"), (folder_ / "program.cu").string()})},
             2);
    run_jobs({job("library", {"-shared", "-o", (folder_ / "game.so").string(), object("game.cu")}),
              job("game", {"-o", (folder_ / "game").string(), object("program.cu"), object("game.cu")})},
             2);
  }

  // Object files side by side, then the two programs.
  void compile_all(const std::vector<std::string>& more) {
    constexpr std::size_t kAtOnce = 2;
    std::vector<std::pair<std::vector<std::string>, fs::path>> jobs;
    for (const std::string& source : sources_) {
      std::vector<std::string> words = command(more);
      words.insert(words.end(), {"-c", "-o", object(source), (folder_ / source).string()});
      jobs.emplace_back(std::move(words), folder_ / (source + ".log"));
    }
    run_jobs(jobs, kAtOnce);
    std::vector<std::string> common;
    for (const std::string& source : sources_) {
      if (source != "driver.cpp" && !only_in_library(source)) common.push_back(object(source));
    }
    jobs.clear();
    std::vector<std::string> program = command(more);
    program.insert(program.end(), {"-o", (folder_ / "reasoner").string(), object("driver.cpp")});
    program.insert(program.end(), common.begin(), common.end());
    std::vector<std::string> library = command(more);
    library.insert(library.end(), {"-shared", "-o", (folder_ / "reasoner.so").string()});
    for (const std::string& source : sources_) {
      if (only_in_library(source)) library.push_back(object(source));
    }
    library.insert(library.end(), common.begin(), common.end());
    jobs.emplace_back(std::move(program), folder_ / "program.log");
    jobs.emplace_back(std::move(library), folder_ / "library.log");
    run_jobs(jobs, kAtOnce);
  }

  static bool only_in_library(const std::string& source) {
    return source == "library.cpp" || source == "search.cpp" || source == "env.cpp";
  }

  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& more) const {
    std::vector<std::string> words = compiler_;
    for (const auto& list : {flags(options_), more, options_.extra_flags})
      words.insert(words.end(), list.begin(), list.end());
    return words;
  }

  [[nodiscard]] std::string object(const std::string& source) const { return (folder_ / (source + ".o")).string(); }

  using Job = std::pair<std::vector<std::string>, fs::path>;

  void run_jobs(const std::vector<Job>& jobs, std::size_t at_once) {
    std::deque<pid_t> running;
    std::size_t next = 0;
    try {
      for (const Job& job : jobs) {
        while (next < jobs.size() && running.size() < at_once) {
          running.push_back(start(jobs[next].first, jobs[next].second, group_));
          commands_.push_back(joined(jobs[next++].first));
        }
        const pid_t first = running.front();
        finish(first, job.first, job.second, options_.stop);
        running.pop_front();
      }
    } catch (...) {  // where one fails the others need not go on
      if (group_ != 0) kill(-group_, SIGTERM);
      for (const pid_t child : running) waitpid(child, nullptr, 0);
      throw;
    }
  }

  const BuildOptions& options_;
  fs::path folder_;
  std::vector<std::string> compiler_;
  std::vector<std::string> sources_;
  pid_t group_;  // of all that is started
  std::vector<std::string> commands_;
};

std::string fingerprint(const std::vector<GeneratedFile>& files, const std::vector<std::string>& compiler,
                        const BuildOptions& options) {
  Fingerprint print;
  for (const GeneratedFile& file : files) {
    print.add(file.name);
    print.add(file.text);
  }
  for (const std::string& word : compiler) print.add(word);
  // A new compiler of the same name is another one.
  std::error_code ignored;
  print.add(std::to_string(fs::file_size(compiler[0], ignored)));
  print.add(std::to_string(fs::last_write_time(compiler[0], ignored).time_since_epoch().count()));
  for (const auto& list : {Builder::flags(options), options.extra_flags}) {
    for (const std::string& word : list) print.add(word);
  }
  print.add(options.profile_guided ? "profile" : "plain");
  return print.text();
}

}  // namespace

Built build(const ir::Game& game, const BuildOptions& options) {
  const std::vector<std::string> compiler = options.nvcc ? find_nvcc() : find_compiler(options.compiler);
  const std::vector<GeneratedFile> files = generate(game, options.generate);
  const fs::path root = cache_root(options.cache) / "cpp";
  const fs::path folder = root / fingerprint(files, compiler, options);
  Built built{folder,
              folder / (options.nvcc ? "game" : "reasoner"),
              folder / (options.nvcc ? "game.so" : "reasoner.so"),
              {},
              false,
              false};
  built.tables =
      std::ranges::any_of(files, [](const GeneratedFile& file) { return file.name == "reasoner_tables.cpp"; });
  std::error_code problem;
  if (options.use_cache && fs::exists(built.library, problem) && fs::exists(built.executable, problem)) {
    built.found = true;
    return built;
  }
  fs::create_directories(root, problem);
  if (problem)
    throw Error(fmt::format("cannot make the folder {}: {}", root.string(), problem.message()),
                "set XDG_CACHE_HOME to a folder that can be written");
  std::random_device random;
  const fs::path work = root / fmt::format("building-{}-{:08x}", getpid(), random());
  fs::create_directory(work, problem);
  if (problem) throw Error(fmt::format("cannot make the folder {}: {}", work.string(), problem.message()));
  const Janitor janitor(work);
  try {
    std::vector<std::string> sources;
    for (const GeneratedFile& file : files) {
      write_file(work / file.name, file.text);
      if (file.name.ends_with(".cpp")) sources.push_back(file.name);
    }
    built.commands = Builder(options, work, compiler, sources, janitor).run();
    for (const fs::directory_entry& entry : fs::directory_iterator(work)) {
      if (entry.path().extension() == ".o" || entry.path().extension() == ".log") fs::remove(entry.path(), problem);
    }
    if (!options.use_cache) fs::remove_all(folder, problem);
    fs::rename(work, folder, problem);
    // Somebody else may have been faster; theirs is as good.
    if (problem && !fs::exists(built.library)) throw Error("cannot rename " + work.string() + ": " + problem.message());
    fs::remove_all(work, problem);
  } catch (...) {
    fs::remove_all(work, problem);
    throw;
  }
  return built;
}

}  // namespace rgtrans::cpp
