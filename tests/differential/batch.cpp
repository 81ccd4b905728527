#include "tests/differential/batch.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "backends/cpp/cpp.hpp"
#include "core/support/limits.hpp"

extern char** environ;

namespace rgtrans::test {

namespace fs = std::filesystem;

namespace {

// In place of playing.hpp: nobody here counts or plays out in the library, and this saves most of its compilation.
constexpr const char* kNoPlaying = R"(
namespace reasoner {
struct Perft {
  std::uint64_t count(const GameState&, unsigned) { return 0; }
};
template <class... A>
void play_randomly(A&&...) {}
}
)";

}  // namespace

struct Batch::Impl {
  std::set<std::string> system_headers, macros;
  std::string interface, support, text;
  std::size_t count = 0;
  fs::path folder;  // made by build()
  void* handle = nullptr;
  std::vector<const rgtrans_reasoner*> functions;

  // Keeps what is not a directive that concerns whole files.
  std::string body(const std::string& file) {
    std::istringstream in(file);
    std::string out;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("#pragma ") || line.starts_with("#include \"")) continue;
      if (line.starts_with("#include <")) {
        system_headers.insert(line);
        continue;
      }
      if (line.starts_with("#define ")) macros.insert(line.substr(8, line.find_first_of(" (", 8) - 8));
      out += line + "\n";
    }
    return out;
  }

  // Without optimization clang takes less than half the time of g++.
  void compile(const fs::path& source, const fs::path& library) const {
    const char* const chosen = std::getenv("CXX");
    const std::string log = source.string() + ".log";
    for (const char* const compiler : {chosen != nullptr ? chosen : "clang++", "c++"}) {
      std::array<std::string, 9> words = {compiler,  "-std=c++20", "-O0",   "-w",           "-fPIC",
                                          "-shared", "-o",         library, source.string()};
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      posix_spawn_file_actions_t actions;
      posix_spawn_file_actions_init(&actions);
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      pid_t child = 0;
      const int failure = posix_spawnp(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
      posix_spawn_file_actions_destroy(&actions);
      if (failure == ENOENT) continue;
      int status = 0;
      if (failure == 0) waitpid(child, &status, 0);
      if (failure == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
      throw Error("the batch does not compile: " + read_file(log).substr(0, 3000));
    }
    throw Error("there is no C++ compiler");
  }
};

Batch::Batch() : impl_(std::make_unique<Impl>()) {}

Batch::~Batch() {
  if (impl_->handle != nullptr) dlclose(impl_->handle);
  if (impl_->folder.empty()) return;
  std::error_code ignored;
  fs::remove_all(impl_->folder, ignored);
}

std::size_t Batch::size() const { return impl_->count; }

const rgtrans_reasoner& Batch::operator[](std::size_t index) const { return *impl_->functions.at(index); }

void Batch::add(const ir::Game& game, bool as_tables) {
  std::map<std::string, std::string> files;
  limits::cpp_code.set(as_tables ? 1 : limits::cpp_code.standard());
  for (const cpp::GeneratedFile& file : cpp::generate(game)) files[file.name] = file.text;
  if (!files.contains("reasoner.cpp") || files.contains("internal.hpp")) throw Error("too large for a batch");
  if (impl_->count == 0) {
    impl_->interface = impl_->body(files.at("interface.h"));
    impl_->support = impl_->body(files.at("basics.hpp")) + impl_->body(files.at("support.hpp"));
  }
  // Functions of an unnamed namespace that nobody calls are not compiled.
  impl_->macros.clear();
  const std::size_t i = impl_->count++;
  impl_->text +=
      fmt::format("\n#define reasoner game_{0}\nnamespace {{\nnamespace game_{0} {{ using namespace support; }}\n", i);
  for (const char* name : {"cells.hpp", "parts.hpp", "state_graph.hpp", "state.hpp", "reasoner.hpp", "program.hpp",
                           "visited.hpp", "labels.hpp", "trail.hpp", "values_of_cells.hpp", "visit_memory.hpp",
                           "look_ahead.hpp", "machine.hpp", "tables.hpp", "reasoner.cpp", "reasoner_tables.cpp"}) {
    if (const auto file = files.find(name); file != files.end()) impl_->text += impl_->body(file->second);
  }
  // The table of functions of the library, without the function that everybody asks for it.
  std::string library = impl_->body(files.at("library.cpp"));
  library.resize(std::min(library.size(), library.find("extern \"C\"")));
  impl_->text += fmt::format("{}namespace library_{} {{\n{}}}\n}}\n#undef reasoner\n", kNoPlaying, i, library);
  impl_->text +=
      fmt::format("extern \"C\" const rgtrans_reasoner* reasoner_{0}() {{ return &library_{0}::kReasoner; }}\n", i);
  for (const std::string& macro : impl_->macros) impl_->text += "#undef " + macro + "\n";
}

void Batch::build() {
  std::string text;
  for (const std::string& line : impl_->system_headers) text += line + "\n";
  text += impl_->interface + "#define reasoner support\nnamespace {\n" + impl_->support + "}\n#undef reasoner\n" +
          impl_->text;
  std::string name = (fs::temp_directory_path() / "rgtrans-batch-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw Error("no temporary folder");
  impl_->folder = name;
  const fs::path source = impl_->folder / "batch.cpp";
  const fs::path library = impl_->folder / "batch.so";
  write_file(source, text);
  impl_->compile(source, library);
  impl_->handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (impl_->handle == nullptr) throw Error(std::string("cannot load the batch: ") + dlerror());
  for (std::size_t i = 0; i < impl_->count; ++i) {
    using Get = const rgtrans_reasoner* (*)();
    const auto get = reinterpret_cast<Get>(dlsym(impl_->handle, fmt::format("reasoner_{}", i).c_str()));
    if (get == nullptr) throw Error(fmt::format("the batch lacks game {}", i));
    impl_->functions.push_back(get());
  }
}

}  // namespace rgtrans::test
