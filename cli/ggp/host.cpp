#include "cli/ggp/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <nlohmann/json.hpp>

#include "cli/ggp/http.hpp"
#include "cli/ggp/kif.hpp"
#include "core/support/clock.hpp"
#include "core/support/letters.hpp"
#include "core/support/secrets.hpp"
#include "core/support/support.hpp"

namespace rgtrans::cli::ggp {

namespace {

using Json = nlohmann::ordered_json;

struct Answer {
  std::string text;
  std::string error;
  double seconds = 0;
};

// For records and logs, which an answer of megabytes must not fill.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 200;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (!begins_character(text[end])) --end;
  return fmt::format("{}… ({} bytes)", text.substr(0, end), text.size());
}

Answer ask(const std::string& player, const std::string& role, const std::string& message, double seconds) {
  Answer answer;
  const auto begin = Clock::now();
  try {
    const std::size_t colon = player.rfind(':');
    answer.text = send_message(player.substr(0, colon), player.substr(colon + 1), role, message, seconds_long(seconds));
  } catch (const TimeOut&) {
    answer.error = "timeout";
  } catch (const std::exception& e) {  // whatever it was, the match goes on
    answer.error = fmt::format("connection ({})", shortened(e.what()));
  }
  answer.seconds = seconds_since(begin);
  return answer;
}

class Host {
 public:
  Host(const std::string& text, std::shared_ptr<const MatchRules> rules, const HostOptions& options)
      : text_(one_line(text)),
        rules_(std::move(rules)),
        options_(options),
        machine_(rules_->program(), rules_->network()),
        random_(options.seed, "host") {
    std::size_t seat = 0;
    for (std::uint32_t r = 0; r < rules_->role_count(); ++r) {
      out_.roles.push_back(rules_->role(r));
      players_.push_back(rules_->random_role(r) ? "" : options_.players.at(seat++));
    }
    out_.id = options.match_id;
    out_.url = options.url;
    out_.start_clock = options.start_clock;
    out_.play_clock = options.play_clock;
  }

  HostedMatch run() {
    const auto started = ask_all(
        [&](std::uint32_t r) {
          return fmt::format("( START {} {} ( {} ) {} {} )", options_.match_id, rules_->role(r), text_,
                             options_.start_clock, options_.play_clock);
        },
        options_.start_clock + options_.grace);
    for (std::uint32_t r = 0; r < players_.size(); ++r) {
      out_.start_errors.push_back(started[r].error);
      log("START", r, started[r].error);
      if (started[r].error.empty() && !players_[r].empty() &&
          lower_case(started[r].text).find("ready") == std::string::npos)
        log("START", r, fmt::format("it answers {}", shortened(started[r].text)));
    }
    machine_.set_state(machine_.initial());
    out_.states.push_back(machine_.facts());
    std::vector<std::string> last(players_.size(), "NIL");
    while (!machine_.terminal() && out_.steps.size() < options_.most_steps && !options_.following.stopped()) {
      options_.following.tell([&] { return fmt::format("step {}", out_.steps.size() + 1); });
      step(last);
    }
    out_.completed = machine_.terminal();
    ask_all(
        [&](std::uint32_t r) {
          return fmt::format("( {} {} {} )", out_.completed ? "STOP" : "ABORT", options_.match_id,
                             out_.completed ? last[r] : "");
        },
        options_.play_clock + options_.grace);
    if (out_.completed) {
      for (std::uint32_t r = 0; r < players_.size(); ++r) {
        out_.goals.push_back(machine_.goals(r).empty() ? std::nullopt : std::optional(machine_.goal(r)));
        if (!out_.goals.back() && !players_[r].empty()) log("the end", r, "the rules give it no goal");
      }
    }
    return std::move(out_);
  }

 private:
  // All players at once; random is not asked.
  template <class Message>
  std::vector<Answer> ask_all(const Message& message, double seconds) {
    std::vector<std::future<Answer>> waiting(players_.size());
    for (std::uint32_t r = 0; r < players_.size(); ++r) {
      if (players_[r].empty()) continue;
      waiting[r] = std::async(std::launch::async, ask, players_[r], rules_->role(r), message(r), seconds);
    }
    std::vector<Answer> answers(players_.size());
    for (std::uint32_t r = 0; r < players_.size(); ++r) {
      if (waiting[r].valid()) answers[r] = waiting[r].get();
    }
    return answers;
  }

  void log(const std::string& where, std::uint32_t role, const std::string& error) const {
    if (options_.log && !error.empty())
      options_.log(fmt::format("match {}, {}, {}: {}", options_.match_id, where, rules_->role(role), error));
  }

  // `last`: the content of PLAY by role; this step replaces it by its own moves or percepts.
  void step(std::vector<std::string>& last) {
    HostedStep step;
    step.time =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    const std::vector<Answer> answers =
        ask_all([&](std::uint32_t r) { return fmt::format("( PLAY {} {} )", options_.match_id, last[r]); },
                options_.play_clock + options_.grace);
    std::vector<std::uint32_t> joint;
    for (std::uint32_t r = 0; r < players_.size(); ++r) {
      std::string error = answers[r].error;
      joint.push_back(decide(r, answers[r], error));
      step.moves.push_back(rules_->move_text(joint.back()));
      log(fmt::format("step {}", out_.steps.size() + 1), r, error);
      step.errors.push_back(error);
      step.seconds.push_back(answers[r].seconds);
    }
    for (std::uint32_t r = 0; r < players_.size(); ++r) last[r] = told(r, joint);
    machine_.step(joint);
    out_.states.push_back(machine_.facts());
    out_.steps.push_back(std::move(step));
  }

  std::uint32_t decide(std::uint32_t role, const Answer& answer, std::string& error) {
    std::vector<std::uint32_t> legal;
    machine_.legal(role, legal);
    if (legal.empty()) {
      throw Error(fmt::format("step {}: {} has no legal move, and the play is not over", out_.steps.size() + 1,
                              rules_->role(role)));
    }
    if (!players_[role].empty() && error.empty()) {
      std::string move = answer.text;
      try {
        move = read_kif(answer.text).text();
      } catch (const Error&) {
        // It is recorded as it is.
      }
      const std::uint32_t found = rules_->find_move(role, move);
      if (std::ranges::find(legal, found) != legal.end()) return found;
      error = fmt::format("illegal ({})", shortened(move));
    }
    return legal[random_.below(legal.size())];
  }

  // GDL: the joint move; GDL-II: the role's percepts.
  std::string told(std::uint32_t role, const std::vector<std::uint32_t>& joint) {
    std::string out;
    if (rules_->program().imperfect) {
      for (const std::string& seen : machine_.percepts(joint, role)) out += seen + " ";
    } else {
      for (const std::uint32_t move : joint) out += rules_->move_text(move) + " ";
    }
    return "( " + out + ")";
  }

  std::string text_;
  std::shared_ptr<const MatchRules> rules_;
  const HostOptions& options_;
  gdl::NetworkMachine machine_;
  SecretNumbers random_;
  std::vector<std::string> players_;  // by role; "" for random
  HostedMatch out_;
};

}  // namespace

HostedMatch host_match(const std::string& text, const std::shared_ptr<const MatchRules>& rules,
                       const HostOptions& options) {
  return Host(text, rules, options).run();
}

std::string record(const HostedMatch& match) {
  Json out;
  out["matchId"] = match.id;
  out["startClock"] = match.start_clock;
  out["playClock"] = match.play_clock;
  out["gameMetaURL"] = match.url;
  out["gameRoleNames"] = match.roles;
  out["states"] = Json::array();
  for (const auto& state : match.states) {
    std::string text;
    for (const std::string& fact : state) text += fact + " ";
    out["states"].push_back("( " + text + ")");
  }
  out["moves"] = Json::array();
  out["stateTimes"] = Json::array();
  out["errors"] = Json::array({match.start_errors});
  out["answerTimes"] = Json::array();
  for (const HostedStep& step : match.steps) {
    out["moves"].push_back(step.moves);
    out["stateTimes"].push_back(step.time);
    out["errors"].push_back(step.errors);
    out["answerTimes"].push_back(step.seconds);
  }
  if (match.completed) {
    out["goalValues"] = Json::array();
    for (const std::optional<int>& goal : match.goals) out["goalValues"].push_back(goal ? Json(*goal) : Json());
  }
  out["isCompleted"] = match.completed;
  out["isAborted"] = !match.completed;
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace rgtrans::cli::ggp
