// A claim consists of rules for a relation `violated`. These are added to the description, with a different name for
// that relation in each claim, and the evaluator of rules derives them like all others.
#include "frontends/gdl/rule_play.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "frontends/gdl/direct/direct.hpp"

namespace rgtrans::gdl {

namespace {

// Renames `violated` in the rules of a claim.
std::string renamed(const std::string& text, const std::string& name) {
  constexpr std::string_view kWord = "violated";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
    const std::size_t end = at + kWord.size();
    const bool ends = end >= text.size() || text[end] == ' ' || text[end] == ')' || text[end] == '\n';
    if (begins && ends && text.compare(at, kWord.size(), kWord) == 0) {
      out += name;
      at = end;
    } else {
      out += text[at++];
    }
  }
  return out;
}

class ClaimedRules final : public RulePlay {
 public:
  ClaimedRules(std::unique_ptr<Direct> rules, std::vector<std::string> names)
      : rules_(std::move(rules)), names_(std::move(names)) {}

  [[nodiscard]] std::unique_ptr<RulePlay> clone() const override {
    std::unique_ptr<Direct> copy(static_cast<Direct*>(rules_->clone().release()));
    return std::make_unique<ClaimedRules>(std::move(copy), names_);
  }

  [[nodiscard]] std::uint32_t step(std::uint64_t& random) override {
    constexpr std::size_t kLongest = 1000;
    if (over_ || ++length_ > kLongest) {
      rules_->set_state(rules_->initial());
      length_ = 0;
    }
    over_ = rules_->terminal();
    std::vector<std::uint32_t> joint, moves;
    for (std::uint32_t role = 0; !over_ && role < rules_->role_names().size(); ++role) {
      rules_->legal(role, moves);
      if (moves.empty()) {
        over_ = true;  // a stuck play
      } else {
        random = mix_hash(random + 0x9e3779b97f4a7c15U);
        joint.push_back(moves[(random >> 32U) * moves.size() >> 32U]);
      }
    }
    if (over_) joint.clear();
    for (std::uint32_t k = 0; k < names_.size(); ++k)
      if (rules_->holds(names_[k], joint)) return k;
    if (!over_) rules_->step(joint);
    return kNone;
  }

 private:
  std::unique_ptr<Direct> rules_;
  std::vector<std::string> names_;  // by claim: the new name of `violated`
  std::size_t length_ = 0;
  bool over_ = true;
};

}  // namespace

std::unique_ptr<RulePlay> play_rules(const Sources::File& file, const FrontendOptions& options,
                                     std::span<const ir::Claim> claims) {
  std::string more;
  std::vector<std::string> names;
  for (const ir::Claim& claim : claims) {
    names.push_back(fmt::format("violated-claim-{}", names.size()));
    more += renamed(std::get<ir::RuleClaim>(claim.content).text, names.back());
  }
  return std::make_unique<ClaimedRules>(std::make_unique<Direct>(file.text, file.name, options.has("fold-case"), more),
                                        std::move(names));
}

}  // namespace rgtrans::gdl
