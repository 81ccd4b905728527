#include "frontends/gdl/rewriting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/support/effort.hpp"
#include "core/support/support.hpp"
#include "frontends/gdl/direct/direct.hpp"
#include "frontends/gdl/ground/rule_text.hpp"
#include "frontends/gdl/lifted/rewrites.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

namespace {

// Rules that are evaluated directly, with their moves in the words of the description.
class Version {
 public:
  Version(std::string_view rewrite, const std::string& text, std::function<std::string(const std::string&)> author) try
      : rules_(text, fmt::format("<rules behind {}>", rewrite)), author_(std::move(author)) {
  } catch (const Error& problem) {
    throw Error(fmt::format("the rules behind rewrite {} are no description: {}", rewrite,
                            problem.diagnostics().front().message));
  }

  Direct& rules() { return rules_; }
  // The legal moves of a role, by their texts.
  std::map<std::string, std::uint32_t> moves(std::uint32_t role) {
    std::vector<std::uint32_t> numbers;
    rules_.legal(role, numbers);
    std::map<std::string, std::uint32_t> result;
    for (const std::uint32_t move : numbers) result.emplace(author_(rules_.move_text(move)), move);
    return result;
  }

 private:
  Direct rules_;
  std::function<std::string(const std::string&)> author_;
};

class Comparison {
 public:
  Comparison(Version& before, Version& after) : before_(before), after_(after) {}

  // The first difference in random plays, or "".
  std::string run() {
    for (std::size_t play = 0; play < kVerifyLimits.plays && compared_ < kVerifyLimits.positions; ++play) {
      path_.clear();
      for (Version* v : {&before_, &after_}) v->rules().set_state(v->rules().initial());
      for (std::size_t step = 0; step < kVerifyLimits.steps && compared_ < kVerifyLimits.positions; ++step) {
        check_wanted();
        if (std::string problem = position(); !problem.empty()) return problem + where();
        if (over_) break;
      }
    }
    return {};
  }

 private:
  // Compares the position, and goes to the next one unless the play is over.
  std::string position() {
    Direct& a = before_.rules();
    Direct& b = after_.rules();
    ++compared_;
    over_ = a.terminal();
    if (b.terminal() != over_) return over_ ? "the play no longer ends" : "the play ends";
    const auto roles = static_cast<std::uint32_t>(a.role_names().size());
    std::vector<std::uint32_t> joint_a, joint_b;
    std::string moves;
    for (std::uint32_t role = 0; role < roles; ++role) {
      const std::string& who = a.role_names()[role];
      if (over_) {
        if (a.goal(role) != b.goal(role))
          return fmt::format("the goal of {} is {} instead of {}", who, b.goal(role), a.goal(role));
        continue;
      }
      const auto mine = before_.moves(role), others = after_.moves(role);
      compared_ += mine.size() / kVerifyLimits.moves;
      for (const auto& [move, number] : mine)
        if (!others.contains(move)) return fmt::format("{} no longer has the move {}", who, move);
      for (const auto& [move, number] : others)
        if (!mine.contains(move)) return fmt::format("{} has the new move {}", who, move);
      if (mine.empty()) {
        over_ = true;  // a stuck play
        return {};
      }
      random_ = mix_hash(random_ + 0x9e3779b97f4a7c15U);
      const auto chosen = std::next(mine.begin(), static_cast<std::ptrdiff_t>((random_ >> 32U) * mine.size() >> 32U));
      joint_a.push_back(chosen->second);
      joint_b.push_back(others.at(chosen->first));
      moves += (moves.empty() ? "" : ", ") + chosen->first;
    }
    if (over_) return {};
    path_.push_back(std::move(moves));
    a.step(joint_a);
    b.step(joint_b);
    return {};
  }

  [[nodiscard]] std::string where() const {
    return path_.empty() ? " in the initial state" : fmt::format(" after {}", fmt::join(path_, "; "));
  }

  Version& before_;
  Version& after_;

  std::uint64_t random_ = 1;
  std::size_t compared_ = 0;  // positions
  bool over_ = false;
  std::vector<std::string> path_;  // joint moves
};

class Verifier {
 public:
  explicit Verifier(const Program& program) : text_(rule_text(program)) {}

  void look(const Rewritten& rules) {
    std::string text = rules.text();
    if (text != text_) {
      if (const std::unique_ptr<Version> before = playable(rules)) compare(*before, rules, text);
      text_ = std::move(text);
    }
    last_ = rules.rewrite;
  }

 private:
  static void compare(Version& before, const Rewritten& rules, const std::string& text) {
    Version after(rules.rewrite, text, rules.author);
    if (const std::string problem = Comparison(before, after).run(); !problem.empty())
      throw Error(fmt::format("rewrite {} changed the game: {}", rules.rewrite, problem),
                  fmt::format("--to rules --stop-after {} prints the changed rules", rules.rewrite));
  }
  // The rules before the rewrite; null if the evaluator refuses them, as it does if negation is not stratified.
  [[nodiscard]] std::unique_ptr<Version> playable(const Rewritten& rules) const try {
    return std::make_unique<Version>(last_, text_, rules.author);
  } catch (const Error& refused) {
    tell_note(fmt::format("rewrite {} is not verified: {}", rules.rewrite, refused.diagnostics().front().message));
    return nullptr;
  }

  std::string text_;
  std::string_view last_ = "reading";
};

}  // namespace

std::span<const NamedRewrite> rewrites() {
  static const std::vector<NamedRewrite> all = [] {
    std::vector<NamedRewrite> names;
    for (const auto& row : program_rewrites()) names.push_back({row.name, row.help});
    for (const auto& row : lifted::rule_rewrites()) names.push_back({row.name, row.help});
    return names;
  }();
  return all;
}

RewriteWatch keep_rules(std::string& text, std::string_view rewrite) {
  if (rewrite.empty()) rewrite = rewrites().back().name;
  return [&text, rewrite](const Rewritten& rules) {
    if (rules.rewrite != rewrite) return;
    text = rules.text();
    throw RewritingStopped{};
  };
}

RewriteWatch verify_rewrites(const Program& program) {
  return [verifier = std::make_shared<Verifier>(program)](const Rewritten& rules) { verifier->look(rules); };
}

}  // namespace rgtrans::gdl
