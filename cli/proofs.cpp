// Followers of a play: of the versions of the game, and of the rules of the author.
#include <fmt/format.h>

#include "backends/interpreter/interpreter.hpp"
#include "cli/engine.hpp"

namespace rgtrans::cli {

namespace {

// Claims in the language of the author are about any play by the rules: for each move one step of such a play.
class RuleFollower final : public claims::Follower {
 public:
  RuleFollower(std::shared_ptr<const std::vector<ir::Claim>> list, std::shared_ptr<Sources> sources,
               std::unique_ptr<RulePlay> play)
      : list_(std::move(list)), sources_(std::move(sources)), play_(std::move(play)) {}

  [[nodiscard]] std::unique_ptr<Follower> clone() const override {
    auto copy = std::make_unique<RuleFollower>(list_, sources_, play_->clone());
    copy->random_ = mix_hash(random_);
    return copy;
  }
  void reset() override {}
  void look() override {}
  void apply(bool, std::string_view) override {
    const std::uint32_t violated = play_->step(random_);
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
  std::unique_ptr<RulePlay> play_;
  std::uint64_t random_ = 1;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::vector<std::unique_ptr<claims::Follower>> all_followers(const ir::Game& optimized, const GameArguments& game) {
  std::vector<std::unique_ptr<claims::Follower>> followers = claims::followers_of(optimized);
  auto list = std::make_shared<std::vector<ir::Claim>>();
  for (const auto& version : optimized.stages)
    for (const ir::Claim& claim : version->claims.list())
      if (std::holds_alternative<ir::RuleClaim>(claim.content)) list->push_back(claim);
  if (list->empty()) return followers;
  const std::shared_ptr<Sources> sources = optimized.sources();
  const Sources::File& file = *sources->file_of(1);
  const Frontend& language = frontend_for(game.language, game.path, file.text);
  if (language.play_rules == nullptr) return followers;
  auto play = language.play_rules(file, game.frontend, *list);
  followers.push_back(std::make_unique<RuleFollower>(std::move(list), sources, std::move(play)));
  return followers;
}

void play_asserting(const ir::Game& optimized, const GameArguments& game, std::uint64_t plays) {
  constexpr std::uint64_t kLongest = 1000;  // moves
  const auto play = claims::assert_proofs(make_interpreter(optimized), all_followers(optimized, game));
  play->playouts({.count = plays, .max_moves = kLongest});
}

}  // namespace rgtrans::cli
