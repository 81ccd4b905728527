// Compiling a reasoner with the system's compiler. A result is kept under a name made from everything that decides it
// (the generated text, the compiler, the flags, the processor); it is built in a folder of its own and renamed when
// complete, so that two programs that build the same game at once do not disturb each other. No shell is involved.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
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
#include <fstream>
#include <iterator>
#include <random>

#include "backends/cpp/cpp.hpp"
#include "backends/cpp/janitor.hpp"
#include "backends/cpp/kept.hpp"
#include "backends/cpp/project.hpp"
#include "core/support/digest.hpp"

extern char** environ;

namespace rgtrans::cpp {

namespace {

namespace fs = std::filesystem;

// What a shipped reasoner asks of a processor.
#if defined(__x86_64__)
constexpr const char* kBaseline = "-march=x86-64-v2";
#else
constexpr const char* kBaseline = nullptr;
#endif

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
  throw Error(
      "there is no C++ compiler (c++, g++ or clang++) on this machine",
      "on Debian: apt install g++; elsewhere g++ 12 or clang 14, or newer, on the PATH or named in the environment "
      "variable CXX; the interpreter needs none");
}

// What makes static libraries.
std::string find_archiver() {
  const std::string named = environment("AR");
  std::string program = find_program(named.empty() ? "ar" : named);
  if (program.empty())
    throw Error("there is no archiver (ar) on this machine",
                "install the tools of your compiler, or name it in the environment variable AR");
  return program;
}

// The compiler of CUDA.
std::vector<std::string> find_nvcc() {
  const std::string named = environment("NVCC");
  for (const std::string& name :
       named.empty() ? std::vector<std::string>{"nvcc", "/usr/local/cuda/bin/nvcc"} : std::vector<std::string>{named}) {
    if (std::string program = find_program(name); !program.empty()) return {program};
  }
  throw Error(
      "there is no CUDA compiler (nvcc) on this machine",
      "install the CUDA toolkit, or name nvcc in the environment variable NVCC; the engine \"cpp\" needs neither");
}

fs::path cache_root(const fs::path& wanted) {
  if (!wanted.empty()) return wanted;
  if (const std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) return fs::path(xdg) / "rgtrans";
  if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache" / "rgtrans";
  fs::path shared = fs::temp_directory_path() / ("rgtrans-" + std::to_string(getuid()));
  make_private(shared, false);
  return shared;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Starts a command in the background, in a process group, with its output going to a file.
pid_t start(std::vector<std::string> words, const fs::path& output, pid_t group) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
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
    if (ended < 0 && errno != EINTR) {
      throw Error(fmt::format("it is unknown how the compiler ended: {}", std::strerror(errno)),
                  "a process that ignores SIGCHLD cannot tell");
    }
    if (ended == 0 && stop()) {
      // With all that it has started, where it is in a group of its own.
      if (const pid_t group = getpgid(child); group > 0 && group != getpgrp()) kill(-group, SIGTERM);
      waitpid(child, nullptr, 0);
      throw Stopped();
    }
    if (ended == 0) nanosleep(&kPause, nullptr);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  constexpr std::size_t kShown = 2000;
  std::string said = read_file(output);
  if (said.size() > kShown) said.replace(kShown, std::string::npos, "…");
  throw Error(fmt::format("the compiler failed: {}\n{}", joined(words), said),
              "if this is not a matter of your compiler or memory, it is a mistake in rgtrans");
}

// Functions of a game, not a large automaton as data.
bool much_code(const std::vector<GeneratedFile>& files, const BuildOptions& options) {
  std::size_t size = 0;
  for (const GeneratedFile& file : files)
    size += file.name.ends_with(".cpp") && file.name != "reasoner_tables.cpp" ? file.text.size() : 0;
  return size > options.much_code && !options.profile_guided;
}

// Options for the compiler, whatever the file.
std::vector<std::string> flags_for(const std::vector<GeneratedFile>& files, const BuildOptions& options) {
  if (options.nvcc) {
    // Where there is a device, for it; else for those that are widely used, and as an assembly that others translate.
    if (fs::exists("/dev/nvidia0")) return {"-arch=native"};
    return {"-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=[sm_90,compute_90]"};
  }
  // Of much code it is the compiling that takes long.
  std::vector<std::string> words = {"-std=c++20", much_code(files, options) ? "-O1" : "-O2", "-fPIC",
                                    "-fvisibility=hidden"};
  if (!options.portable) words.emplace_back("-march=native");
  if (options.portable && kBaseline != nullptr) words.emplace_back(kBaseline);
  return words;
}

// All that compiling one game starts: the objects of each variant, then the program and the library.
class Builder {
 public:
  Builder(const BuildOptions& options, fs::path folder, std::vector<std::string> compiler,
          std::vector<std::string> flags, const std::vector<GeneratedFile>& files, const Janitor& janitor)
      : options_(options),
        folder_(std::move(folder)),
        compiler_(std::move(compiler)),
        flags_(std::move(flags)),
        files_(files),
        group_(janitor.group()) {
    for (const GeneratedFile& file : files_) {
      if (file.name.ends_with(".cpp")) sources_.push_back(file.name);
    }
  }

  // `headers`: options by which the compiler finds headers that it has compiled before.
  std::vector<std::string> run(const std::vector<std::string>& headers) {
    if (options_.nvcc) {
      compile_for_device();
      return commands_;
    }
    if (options_.profile_guided) {
      compile_all({"-fprofile-generate", "-fprofile-update=single"}, {});
      const std::vector<std::string> play = {(folder_ / "reasoner").string(), "playouts", "1"};
      run_jobs({Job{play, folder_ / "profile.log"}}, 1);
      std::vector<std::string> again = {"-fprofile-use", "-fprofile-correction", "-Wno-missing-profile"};
      if (options_.link_time) again.emplace_back("-flto=auto");
      compile_all(again, {});
    } else {
      compile_all({}, headers);
    }
    return commands_;
  }

 private:
  // The game once, in a program and in a library.
  void compile_for_device() {
    const auto object = [&](const std::string& source) { return (folder_ / (source + ".o")).string(); };
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
  void compile_all(const std::vector<std::string>& more, const std::vector<std::string>& headers) {
    constexpr std::size_t kAtOnce = 2;
    const std::vector<std::string> variants = options_.portable ? write_variants() : std::vector<std::string>{""};
    std::vector<Job> jobs;
    std::vector<std::string> of_program;
    std::vector<std::string> of_library;
    std::vector<std::string> of_archive;
    const auto compile = [&](const std::string& source, const std::string& variant, bool for_archive) {
      std::vector<std::string> words = command(more);
      words.insert(words.end(), headers.begin(), headers.end());
      if (!variant.empty()) words.insert(words.end(), {"-include", (folder_ / (variant + ".hpp")).string()});
      if (for_archive) words.emplace_back("-DRGTRANS_STATIC");
      const std::string name = source + variant + (for_archive ? "-static" : "");
      std::string object = (folder_ / (name + ".o")).string();
      words.insert(words.end(), {"-c", "-o", object, (folder_ / source).string()});
      jobs.emplace_back(std::move(words), folder_ / (name + ".log"));
      return object;
    };
    const auto compile_for_all = [&](const std::string& source, const std::string& variant) {
      const std::string object = compile(source, variant, false);
      if (!only_in_library(source)) of_program.push_back(object);
      if (source != "driver.cpp") of_library.push_back(object);
      if (!options_.archive || source == "driver.cpp" || source == "search.cpp") return;
      of_archive.push_back(source == "library.cpp" ? compile(source, variant, true) : object);
    };
    const auto dispatch = [&](const std::string& name, std::vector<std::string>& where,
                              const std::vector<std::string>& definitions) {
      std::vector<std::string> words = command({"-c", "-o", (folder_ / (name + ".o")).string()});
      words.insert(words.end(), definitions.begin(), definitions.end());
      words.push_back((folder_ / "dispatch.cpp").string());
      jobs.emplace_back(std::move(words), folder_ / (name + ".log"));
      where.push_back((folder_ / (name + ".o")).string());
    };
    for (const std::string& variant : variants) {
      for (const std::string& source : sources_) compile_for_all(source, variant);
    }
    if (!variants[0].empty()) {
      dispatch("dispatch-program", of_program, {"-DREASONER_PROGRAM"});
      dispatch("dispatch-library", of_library, {"-DREASONER_LIBRARY"});
      if (options_.archive) dispatch("dispatch-static", of_archive, {"-DREASONER_LIBRARY", "-DRGTRANS_STATIC"});
    }
    run_jobs(jobs, kAtOnce);
    jobs.clear();
    const auto link = [&](const char* log, std::vector<std::string> words, const char* how, const char* result,
                          const std::vector<std::string>& objects) {
      words.insert(words.end(), {how, (folder_ / result).string()});
      words.insert(words.end(), objects.begin(), objects.end());
      jobs.emplace_back(std::move(words), folder_ / log);
    };
    link("program.log", command(more), "-o", "reasoner", of_program);
    std::vector<std::string> shared = command(more);
    shared.emplace_back("-shared");
    link("library.log", std::move(shared), "-o", "reasoner.so", of_library);
    fs::remove(folder_ / "reasoner.a");  // of the first compilation with a profile
    if (options_.archive) link("archive.log", {find_archiver()}, "rcs", "reasoner.a", of_archive);
    run_jobs(jobs, kAtOnce);
  }

  // One for each kind of processor, and what chooses; "" where there is but one.
  std::vector<std::string> write_variants() {
    std::vector<std::string> names;
    for (const GeneratedFile& file : portable_files(files_, names_of(options_.generate))) {
      write_file(folder_ / file.name, file.text);
      if (file.name.ends_with(".hpp")) names.push_back(file.name.substr(0, file.name.find('.')));
    }
    if (names.empty()) names.emplace_back();
    return names;
  }

  static bool only_in_library(const std::string& source) { return source == "library.cpp" || source == "search.cpp"; }

  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& more) const {
    std::vector<std::string> words = compiler_;
    if (options_.nvcc) words.insert(words.end(), {"--options-file", (folder_ / "nvcc.options").string()});
    for (const auto& list : {flags_, more, options_.extra_flags}) words.insert(words.end(), list.begin(), list.end());
    return words;
  }

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
  std::vector<std::string> flags_;
  const std::vector<GeneratedFile>& files_;
  std::vector<std::string> sources_;
  pid_t group_;  // of all that is started
  std::vector<std::string> commands_;
};

// The processor or the devices for which the compiler makes code, unless the flags name them.
std::string machine(const std::vector<std::string>& flags) {
  std::string text;
  if (std::ranges::find(flags, "-march=native") != flags.end()) {
    std::ifstream in("/proc/cpuinfo");
    text.assign(std::istreambuf_iterator<char>(in), {});
    return processor_of(text);
  }
  if (std::ranges::find(flags, "-arch=native") == flags.end()) return {};
  std::error_code none;
  for (const fs::directory_entry& device : fs::directory_iterator("/proc/driver/nvidia/gpus", none)) {
    std::ifstream in(device.path() / "information");
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("Model:")) text += line + "\n";
    }
  }
  return text;
}

std::string fingerprint(const std::vector<GeneratedFile>& files, const std::vector<std::string>& compiler,
                        const std::vector<std::string>& flags, const BuildOptions& options) {
  Digest print;
  for (const GeneratedFile& file : files) print.field(file.name).field(file.text);
  print.add_number(compiler.size());
  for (const std::string& word : compiler) print.field(word);
  // A new compiler of the same name is another one.
  std::error_code ignored;
  print.add_number(fs::file_size(compiler[0], ignored));
  print.add_number(static_cast<std::uint64_t>(fs::last_write_time(compiler[0], ignored).time_since_epoch().count()));
  for (const auto& list : {flags, options.extra_flags}) {
    print.add_number(list.size());
    for (const std::string& word : list) print.field(word);
  }
  print.field(machine(flags));
  for (const bool option : {options.profile_guided, options.link_time, options.portable, options.archive})
    print.add_number(option);
  constexpr std::size_t kDigits = 32;  // of a name
  return print.hex().substr(0, kDigits);
}

// Reading the standard headers takes longer than compiling a small game, so they are compiled once for each compiler
// and kept beside the games. Nothing depends on it: a compiler that cannot use the result reads the text beside it.
std::vector<std::string> precompiled_headers(const fs::path& root, const fs::path& work, const Janitor& janitor,
                                             const std::vector<std::string>& compiler,
                                             const std::vector<std::string>& flags, const BuildOptions& options) {
  if (options.nvcc || options.profile_guided || options.portable || !options.extra_flags.empty()) return {};
  const std::string text(common_headers());
  const fs::path folder = root / ("headers-" + fingerprint({{"common.hpp", text}}, compiler, flags, options));
  const fs::path header = folder / "common.hpp";
  std::error_code problem;
  if (!intact(folder, {"common.hpp"})) {
    const fs::path making = work / "headers";
    fs::create_directory(making, problem);
    try {
      write_file(making / "common.hpp", text);
      std::vector<std::string> words = compiler;
      words.insert(words.end(), flags.begin(), flags.end());
      words.insert(words.end(), {"-x", "c++-header", "-o", making / "common.hpp.gch", making / "common.hpp"});
      finish(start(words, making / "log", janitor.group()), words, making / "log", options.stop);
      fs::remove(making / "log", problem);
      seal(making);
      put_in_place(making, folder, {"common.hpp"});
    } catch (const Error&) {  // not every compiler can, or what it makes cannot be moved
      fs::remove_all(making, problem);
      return {};
    }
    fs::remove_all(making, problem);
  }
  return {"-include", header.string()};
}

}  // namespace

Built build(const ir::Game& game, const BuildOptions& options) {
  const std::vector<std::string> compiler = options.nvcc ? find_nvcc() : find_compiler(options.compiler);
  const std::vector<GeneratedFile> files = generate(game, options.generate);
  const fs::path kept = cache_root(options.cache), root = kept / "cpp";
  const std::vector<std::string> flags = flags_for(files, options);
  const fs::path folder = root / fingerprint(files, compiler, flags, options);
  Built built{folder,
              folder / (options.nvcc ? "game" : "reasoner"),
              folder / (options.nvcc ? "game.so" : "reasoner.so"),
              options.archive ? folder / "reasoner.a" : fs::path(),
              {},
              false,
              false};
  built.tables =
      std::ranges::any_of(files, [](const GeneratedFile& file) { return file.name == "reasoner_tables.cpp"; });
  std::vector<std::string> results = {built.library.filename(), built.executable.filename()};
  if (options.archive) results.push_back(built.archive.filename());
  make_private(kept);
  make_private(root);
  if (options.use_cache && intact(folder, results)) {
    built.found = true;
    return built;
  }
  std::error_code problem;
  std::random_device random;
  const fs::path work = root / fmt::format("building-{}-{:08x}", getpid(), random());
  fs::create_directory(work, problem);
  if (problem) throw Error(fmt::format("cannot make the folder {}: {}", work.string(), problem.message()));
  const Janitor janitor(work);
  try {
    for (const GeneratedFile& file : files) write_file(work / file.name, file.text);
    const std::vector<std::string> headers = precompiled_headers(root, work, janitor, compiler, flags, options);
    try {
      built.commands = Builder(options, work, compiler, flags, files, janitor).run(headers);
    } catch (const Error&) {
      if (headers.empty()) throw;
      built.commands = Builder(options, work, compiler, flags, files, janitor).run({});
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(work)) {
      if (entry.path().extension() == ".o" || entry.path().extension() == ".log") fs::remove(entry.path(), problem);
    }
    if (!options.use_cache) fs::remove_all(folder, problem);
    seal(work);
    put_in_place(work, folder, results);  // somebody else may have been faster; theirs is as good
    fs::remove_all(work, problem);
  } catch (...) {
    fs::remove_all(work, problem);
    throw;
  }
  return built;
}

}  // namespace rgtrans::cpp
