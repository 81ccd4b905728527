#include "ide/desk/desk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <thread>

#include "backends/json/json.hpp"
#include "frontends/registry/registry.hpp"
#include "ide/desk/pictures.hpp"
#include "ide/desk/table.hpp"
#include "ide/desk/work.hpp"

namespace rgtrans::ide {

namespace {

// Texts of the user's may be no UTF-8.
std::string dump(const Json& message) { return message.dump(-1, ' ', false, Json::error_handler_t::replace); }

using Work = Json (*)(const Errand& errand);
const std::map<std::string, Work, std::less<>> kWork = {{"perft", count_leaves}, {"playouts", play_out},
                                                        {"compare", compare},    {"engines", measure_engines},
                                                        {"think", think},        {"reply", reply}};

constexpr std::size_t kMostJobs = 4;
constexpr std::size_t kMostQueued = 256;

}  // namespace

class Desk::Body {
 public:
  Body(Shelf shelf, Answer answer) : shelf_(std::move(shelf)), answer_(std::move(answer)) {
    thread_ = std::thread([this] { serve(); });
  }

  ~Body() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      for (Job& job : jobs_) job.stop = true;
    }
    changed_.notify_all();
    thread_.join();
    for (Job& job : jobs_) job.thread.join();
  }

  void receive(std::string_view text) {
    Json message = Json::parse(text, nullptr, false);
    if (!message.is_object() || !message.contains("method") || !message["method"].is_string()) {
      answer_(dump({{"jsonrpc", "2.0"}, {"id", nullptr}, {"error", {{"code", -32600}, {"message", "no request"}}}}));
      return;
    }
    if (!message.contains("params") || !message["params"].is_object()) message["params"] = Json::object();
    if (!message.contains("id")) message["id"] = nullptr;
    if (message["method"] == "cancel") return cancel(message["params"].value("id", Json()));
    {
      const std::lock_guard lock(mutex_);
      if (queue_.size() >= kMostQueued) return refuse(message["id"], "too many requests wait");
      // A text that is opened after another one makes that one needless.
      if (message["method"] == "open") {
        const auto old = std::ranges::find(queue_, Json("open"), [](const Json& m) { return m["method"]; });
        if (old != queue_.end()) {
          refuse((*old)["id"], "superseded");
          queue_.erase(old);
        }
      }
      queue_.push_back(std::move(message));
    }
    changed_.notify_one();
  }

 private:
  struct Job {
    Json id;
    std::atomic<bool> stop{false};
    std::atomic<bool> done{false};
    std::thread thread;
  };

  void refuse(const Json& id, const std::string& why) {
    answer_(dump({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", -32000}, {"message", why}}}}));
  }

  void cancel(const Json& id) {
    const std::lock_guard lock(mutex_);
    for (Job& job : jobs_) {
      if (job.id == id) job.stop = true;
    }
  }

  // Calls and answers, whatever happens.
  template <class Call>
  void respond(const Json& id, Call&& call) {
    Json message = {{"jsonrpc", "2.0"}, {"id", id}};
    try {
      message["result"] = call();
    } catch (const Error& e) {
      message["error"] = {{"code", -32000}, {"message", e.what()}, {"data", diagnostics_of(e)}};
    } catch (const std::exception& e) {
      message["error"] = {{"code", -32602}, {"message", e.what()}, {"data", Json::array()}};
    }
    answer_(dump(message));
  }

  void serve() {
    for (;;) {
      Json message;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return ending_ || !queue_.empty(); });
        if (ending_) return;
        message = std::move(queue_.front());
        queue_.pop_front();
      }
      const std::string method = message["method"];
      const auto work = kWork.find(method);
      if (work != kWork.end()) {
        start(work->second, message);
      } else {
        respond(message["id"], [&] { return handle(method, message["params"]); });
      }
    }
  }

  void start(Work work, const Json& message) {
    const std::lock_guard lock(mutex_);
    std::erase_if(jobs_, [](Job& job) {
      if (job.done) job.thread.join();
      return job.done.load();
    });
    if (ending_) return;
    if (jobs_.size() >= kMostJobs) return refuse(message["id"], "too much is under way; cancel something");
    if (game_ == nullptr) return refuse(message["id"], "no game is open");
    Job& job = jobs_.emplace_back();
    job.id = message["id"];
    job.thread = std::thread([this, &job, work, request = message["params"], game = game_] {
      const auto tell = [&](const Json& progress) {
        answer_(dump({{"jsonrpc", "2.0"}, {"method", "progress"}, {"params", {{"id", job.id}, {"value", progress}}}}));
      };
      respond(job.id, [&] { return work({*game, request, tell, job.stop}); });
      job.done = true;
    });
  }

  Json handle(const std::string& method, const Json& request) {
    if (method == "hello") return hello();
    if (method == "read") return read(request);
    if (method == "save") {
      shelf_.write(request.at("name"), request.at("text").get<std::string>());
      return Json::object();
    }
    if (method == "open") return open(request);
    if (game_ == nullptr) throw Error("no game is open");
    if (method == "state") {
      if (play_ == nullptr) play_ = std::make_unique<ShownPlay>(game_);
      return play_->state(request);
    }
    if (method == "automaton") return gallery_.automaton(game_, request);
    if (method == "explain") return gallery_.explain(game_, request);
    if (method == "game")
      return {{"json", json::print(request.value("optimized", false) ? game_->playable().optimized : game_->written)}};
    if (method == "passes") return changes(*game_, request);
    if (method == "pass") return change(*game_, request);
    throw Error(fmt::format("there is no method {}", method));
  }

  Json hello() const {
    Json languages = Json::array();
    for (const Frontend* frontend : frontends()) {
      languages.push_back(
          {{"name", frontend->name},
           {"title", frontend->title},
           {"extensions", std::vector<std::string>(frontend->extensions.begin(), frontend->extensions.end())}});
    }
    Json games = Json::array();
    for (const Preset& preset : presets()) games.push_back(preset.path);
    Json list = Json::array();
    for (const passes::Pass& pass : passes::all_passes()) {
      list.push_back({{"name", pass.name}, {"help", pass.help}, {"level", pass.level}});
    }
    return {{"languages", std::move(languages)},
            {"presets", std::move(games)},
            {"passes", std::move(list)},
            {"folder", shelf_.folder()},
            {"files", shelf_.names()}};
  }

  Json read(const Json& request) const {
    if (request.contains("preset")) {
      const auto found = std::ranges::find(presets(), request["preset"].get<std::string>(), &Preset::path);
      if (found == presets().end()) throw Error("there is no such game");
      return {{"text", found->text}};
    }
    return {{"text", shelf_.read(request.at("name"))}};
  }

  Json open(const Json& request) {
    std::shared_ptr<const OpenedGame> game = open_game(request);
    play_.reset();
    game_ = std::move(game);
    std::vector<std::string> players;
    for (const SymbolId player : game_->written.players()) players.push_back(ir::written(game_->written, player));
    Diagnostics hints(game_->sources);
    scene::read_hints(game_->written, hints);
    return {{"players", std::move(players)},
            {"warnings", diagnostics_of(hints.all(), game_->sources.get())},
            {"hides", game_->hides},
            {"nodes", game_->written.graph.node_count()},
            {"edges", game_->written.graph.edge_count()}};
  }

  Shelf shelf_;
  Answer answer_;
  std::shared_ptr<const OpenedGame> game_;  // of the serving thread
  std::unique_ptr<ShownPlay> play_;
  Gallery gallery_;

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<Json> queue_;
  std::list<Job> jobs_;
  bool ending_ = false;
  std::thread thread_;
};

Desk::Desk(Shelf shelf, Answer answer) : body_(std::make_unique<Body>(std::move(shelf), std::move(answer))) {}
Desk::~Desk() = default;
void Desk::receive(std::string_view message) { body_->receive(message); }

}  // namespace rgtrans::ide
