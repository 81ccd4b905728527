#include "tests/differential/batch.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "backends/cpp/cpp.hpp"

extern char** environ;

namespace rgtrans::testing {

namespace fs = std::filesystem;

struct Batch::Impl {
  std::set<std::string> system_headers, macros;
  std::string interface, text;
  std::size_t count = 0;
  fs::path folder;
  void* handle = nullptr;
  std::vector<const rgtrans_reasoner*> functions;

  // Keeps what is not a directive that concerns whole files.
  std::string body(const std::string& file) {
    std::istringstream in(file);
    std::string out;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("#pragma once") || line.starts_with("#include \"")) continue;
      if (line.starts_with("#include <")) {
        system_headers.insert(line);
        continue;
      }
      if (line.starts_with("#define ")) macros.insert(line.substr(8, line.find_first_of(" (", 8) - 8));
      out += line + "\n";
    }
    return out;
  }

  void compile(const fs::path& source, const fs::path& library) const {
    const char* const compiler = std::getenv("CXX") != nullptr ? std::getenv("CXX") : "c++";
    const std::array<std::string, 9> words = {compiler,  "-std=c++20", "-O0",   "-w",           "-fPIC",
                                              "-shared", "-o",         library, source.string()};
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const std::string log = source.string() + ".log";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    const int failure = posix_spawnp(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (failure == 0) waitpid(child, &status, 0);
    if (failure == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    throw Error("the batch does not compile: " + read_file(log).substr(0, 3000));
  }
};

Batch::Batch() : impl_(std::make_unique<Impl>()) {
  std::string name = (fs::temp_directory_path() / "rgtrans-batch-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw Error("no temporary folder");
  impl_->folder = name;
}

Batch::~Batch() {
  if (impl_->handle != nullptr) dlclose(impl_->handle);
  std::error_code ignored;
  fs::remove_all(impl_->folder, ignored);
}

std::size_t Batch::size() const { return impl_->count; }

const rgtrans_reasoner& Batch::operator[](std::size_t index) const { return *impl_->functions.at(index); }

void Batch::add(const ir::Game& game) {
  std::map<std::string, std::string> files;
  std::string sources;
  for (const cpp::GeneratedFile& file : cpp::generate(game)) files[file.name] = file.text;
  if (!files.contains("reasoner.cpp") || files.contains("internal.hpp")) throw Error("too large for a batch");
  if (impl_->interface.empty()) impl_->interface = impl_->body(files.at("interface.h"));
  impl_->macros.clear();
  const std::size_t i = impl_->count++;
  impl_->text += fmt::format("\n#define reasoner game_{0}\n#define rgtrans_get_reasoner rgtrans_get_reasoner_{0}\n", i);
  for (const char* name : {"support.hpp", "cells.hpp", "reasoner.hpp", "playing.hpp", "reasoner.cpp"}) {
    if (const auto file = files.find(name); file != files.end()) impl_->text += impl_->body(file->second);
  }
  impl_->text += fmt::format("namespace library_{} {{\n{}}}\n", i, impl_->body(files.at("library.cpp")));
  impl_->text += "#undef reasoner\n#undef rgtrans_get_reasoner\n";
  for (const std::string& macro : impl_->macros) impl_->text += "#undef " + macro + "\n";
}

void Batch::build() {
  std::string text;
  for (const std::string& line : impl_->system_headers) text += line + "\n";
  text += impl_->interface + impl_->text;
  const fs::path source = impl_->folder / "batch.cpp";
  const fs::path library = impl_->folder / "batch.so";
  write_file(source, text);
  impl_->compile(source, library);
  impl_->handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (impl_->handle == nullptr) throw Error(std::string("cannot load the batch: ") + dlerror());
  for (std::size_t i = 0; i < impl_->count; ++i) {
    using Get = const rgtrans_reasoner* (*)(std::uint32_t);
    const auto get = reinterpret_cast<Get>(dlsym(impl_->handle, fmt::format("rgtrans_get_reasoner_{}", i).c_str()));
    if (get == nullptr) throw Error(fmt::format("the batch lacks game {}", i));
    impl_->functions.push_back(get(RGTRANS_REASONER_VERSION));
  }
}

}  // namespace rgtrans::testing
