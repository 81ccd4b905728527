// Follows plays by the rules of the author, for claims in the author's language.
#include <fmt/format.h>

#include <utility>

#include "backends/claims/claims.hpp"

namespace rgtrans::claims {

namespace {

class RuleFollower final : public Follower {
 public:
  RuleFollower(std::shared_ptr<const std::vector<ir::Claim>> list, std::shared_ptr<Sources> sources,
               std::function<RuleStep()> begin, std::uint64_t random)
      : list_(std::move(list)), sources_(std::move(sources)), begin_(std::move(begin)), random_(random) {}

  [[nodiscard]] std::unique_ptr<Follower> clone() const override {
    return std::make_unique<RuleFollower>(list_, sources_, begin_, mix_hash(random_));
  }
  void reset() override {}
  void look() override {}
  void apply(bool, std::string_view) override {
    if (step_ == nullptr) step_ = begin_();
    const std::uint32_t violated = step_(random_);
    ++steps_;
    if (violated == kNone) return;
    const ir::Claim& claim = (*list_)[violated];
    Diagnostic diagnostic;
    diagnostic.where = claim.where;
    diagnostic.message = fmt::format("{} relied on a claim that does not hold: {}:\n{}", claim.rewrite,
                                     ir::kind_of(claim), std::get<ir::RuleClaim>(claim.content).text);
    diagnostic.hint = "seen in a play by the rules as they stand";
    throw ProofError({diagnostic}, sources_);
  }
  bool undo() override { return true; }
  void count(Counts& counts) const override { counts.evaluated += steps_ * list_->size(); }

 private:
  std::shared_ptr<const std::vector<ir::Claim>> list_;
  std::shared_ptr<Sources> sources_;
  std::function<RuleStep()> begin_;
  RuleStep step_;  // of the play that has begun
  std::uint64_t random_;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::unique_ptr<Follower> follow_rules(const ir::Game& game, const Rules& rules) {
  if (rules == nullptr) return nullptr;
  auto list = std::make_shared<std::vector<ir::Claim>>();
  const auto take = [&](const ir::Claims& claims) {
    for (const ir::Claim& claim : claims.list())
      if (std::holds_alternative<ir::RuleClaim>(claim.content)) list->push_back(claim);
  };
  for (const auto& version : game.stages) take(version->claims);
  take(game.claims);
  if (list->empty()) return nullptr;
  std::function<RuleStep()> begin = rules(*list);
  return std::make_unique<RuleFollower>(std::move(list), game.sources(), std::move(begin), 1);
}

std::vector<std::unique_ptr<Follower>> followers_of(const ir::Game& game, const Rules& rules) {
  std::vector<std::unique_ptr<Follower>> followers = followers_of(game);
  if (auto follower = follow_rules(game, rules)) followers.push_back(std::move(follower));
  return followers;
}

}  // namespace rgtrans::claims
