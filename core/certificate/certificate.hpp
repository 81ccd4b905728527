// Certificates of passes. A checker decides, from a game before and after a pass and a small record, that both games
// have the same moves with the same results. It shares no code with the analyses and passes that it checks.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ir/ir.hpp"
#include "core/support/support.hpp"

namespace rgtrans::certificate {

using ir::ConstId;
using ir::EdgeId;
using ir::ExprId;
using ir::NodeId;
using ir::TypeId;
using ir::ValueId;
using ir::VarId;

class Facts;
class Needs;

// Hints for the checker. A wrong record may keep a correct pass from being confirmed; it cannot confirm a wrong one.
struct PassRecord {
  struct Origin {
    ir::VarId after;             // this variable has the value of
    ir::VarId before;            // that variable, or of one of its cells,
    std::vector<SymbolId> keys;  // at these keys
    auto operator<=>(const Origin&) const = default;
  };
  struct Unread {
    ir::VarId variable;             // in this map, the games may differ
    std::vector<SymbolId> keys;     // at these keys
    std::vector<ir::NodeId> nodes;  // of the game after
    auto operator<=>(const Unread&) const = default;
  };
  std::vector<std::pair<ir::NodeId, ir::NodeId>> nodes;  // (after, before), besides equal ids
  std::vector<Origin> origins;                           // besides equal ids
  std::vector<Unread> unread;
  bool operator==(const PassRecord&) const = default;
};

struct PassVerdict {
  bool confirmed = false;
  std::string reason;  // why the pass is not confirmed
};

// A version of a game and the facts that the checker derives from it. Two passes share the version between them.
class Version {
 public:
  explicit Version(ir::Game game);
  ~Version();
  Version(const Version&) = delete;
  Version& operator=(const Version&) = delete;

  [[nodiscard]] const ir::Game& game() const { return game_; }
  // Computed on the first call.
  [[nodiscard]] Needs& needs();
  [[nodiscard]] Facts& facts();

 private:
  struct Known;
  ir::Game game_;
  std::unique_ptr<Known> known_;
};

// All ids of `before` mean the same in `after`, as in a copy; otherwise the answer is no.
[[nodiscard]] PassVerdict check(Version& before, Version& after, const PassRecord& record);

struct CertifiedPass {
  std::string pass;
  std::size_t changes = 0;
  PassVerdict verdict;
};

struct Report {
  std::vector<CertifiedPass> steps;
  ir::Game first, last;
};

// Reads a certificate and checks each pass. Throws Error, with the line, for a text that is none or is damaged.
[[nodiscard]] Report verify(std::string_view text, const std::string& name);

// The first line of a certificate.
inline constexpr std::string_view kHeader = "rgtrans certificate 1";

}  // namespace rgtrans::certificate
