// rgtrans studio: the page in which games are written, seen and played, served to this machine alone.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "cli/command.hpp"
#include "cli/program.hpp"
#include "core/support/support.hpp"
#include "core/support/text.hpp"
#include "ide/bundle/bundle.hpp"
#include "ide/desk/desk.hpp"
#include "ide/server/server.hpp"
#include "ide/service/session.hpp"

namespace rgtrans::cli {

namespace {

namespace fs = std::filesystem;

constexpr unsigned kUsualPort = 7474;

struct StudioArguments {
  std::string path;
  unsigned port = 0;
  bool no_open = false;
};

// The same from run to run, so that a page that is open finds the next server again; only this user can read it.
std::string kept_token() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  const char* const home = std::getenv("HOME");
  fs::path folder;
  if (state != nullptr && *state == '/') {
    folder = state;
  } else if (home != nullptr && *home == '/') {
    folder = fs::path(home) / ".local/state";
  }
  std::string token = ide::random_token();
  if (folder.empty()) return token;
  folder /= "rgtrans";
  std::error_code problem;
  fs::create_directories(folder, problem);
  const fs::path file = folder / "studio-token";
  struct stat status {};
  const bool mine = ::stat(file.c_str(), &status) == 0 && status.st_uid == ::getuid() && (status.st_mode & 077U) == 0;
  if (mine && status.st_size == static_cast<off_t>(token.size())) return read_file(file);
  fs::remove(file, problem);
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return token;
  const bool written = ::write(descriptor, token.data(), token.size()) == static_cast<ssize_t>(token.size());
  ::close(descriptor);
  if (!written) fs::remove(file, problem);
  return token;
}

void open_browser(const std::string& address) {
#ifdef __APPLE__
  std::string program = "open";
#else
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  std::string program = "xdg-open";
#endif
  run_program({program, address});
}

// The other end of a socket: a desk, or a session of the language service.
template <class End>
class ChannelTo : public ide::Channel {
 public:
  template <class... Arguments>
  explicit ChannelTo(Arguments&&... arguments) : end_(std::forward<Arguments>(arguments)...) {}
  void receive(std::string_view message) override { end_.receive(message); }

 private:
  End end_;
};

int run(const StudioArguments& options) {
  fs::path folder, file;
  if (!options.path.empty()) {
    folder = options.path;
    const bool fresh = !fs::exists(folder) && ide::is_description(folder);
    // The name of a description that is not there yet begins one.
    if (fresh && (!folder.has_parent_path() || fs::is_directory(folder.parent_path()))) write_file(folder, "");
    if (!fs::exists(folder)) throw Error(fmt::format("there is no file or folder {}", options.path));
    if (!fs::is_directory(folder)) {
      file = folder.filename();
      folder = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
    }
  }
  const ide::Shelf shelf = folder.empty() ? ide::Shelf() : ide::Shelf(folder);
  if (!file.empty()) static_cast<void>(shelf.read(file.string()));  // says what is wrong with it

  ide::ServerOptions server_options;
  server_options.port = static_cast<unsigned short>(options.port == 0 ? kUsualPort : options.port);
  server_options.another_port = options.port == 0;
  server_options.token = kept_token();
  server_options.assets = {{"/", "text/html; charset=utf-8", ide::bundle::kStudioPage, true},
                           {"/studio.js", "text/javascript; charset=utf-8", ide::bundle::kStudioScript, false},
                           {"/studio.css", "text/css; charset=utf-8", ide::bundle::kStudioStyle, false},
                           {"/licences.txt", "text/plain; charset=utf-8", ide::bundle::kLicences, false}};
  server_options.channels["/studio"] = [&shelf](ide::Send send) -> std::unique_ptr<ide::Channel> {
    return std::make_unique<ChannelTo<ide::Desk>>(ide::machine(shelf), std::move(send));
  };
  server_options.channels["/lsp"] = [](ide::Send send) -> std::unique_ptr<ide::Channel> {
    return std::make_unique<ChannelTo<ide::Session>>(std::move(send));
  };
  ide::PageServer server(std::move(server_options));
  std::string address = server.address();
  if (!file.empty()) address += "#file=" + percent_encoded(file.string(), "-_./");
  fmt::print("The studio is at {}\nOnly this machine can reach it. Ctrl+C ends it.\n", address);
  if (std::fflush(stdout) != 0) return kInputProblem;  // nobody would know the address; main() says so
  if (!options.no_open) open_browser(address);
  server.run();
  constexpr std::chrono::milliseconds kPatience{500};
  if (server.ended(kPatience)) return kSuccess;
  std::fflush(nullptr);
  std::_Exit(kSuccess);  // nobody waits for work that is not wanted any more
}

}  // namespace

const Command kStudio = {
    "studio", "see, edit and play games in the browser", "rgtrans studio games",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<StudioArguments>();
      app.add_option("PATH", options->path, "a game, or a folder of games that may be read and changed")->type_name("");
      app.add_option("--port", options->port, "the port to listen on; by default 7474, or another one if that is taken")
          ->between(1U, 65535U)
          ->type_name("N");
      app.add_flag("--no-open", options->no_open, "do not open the browser");
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
