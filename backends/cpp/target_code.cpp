// A function of one variable, "all rays from this square", whose walks differ only in which cells must hold something
// and in what they show: for each value a list of targets, each with the cells that it needs. Eight targets are tested
// with one comparison, and those that are possible are written together. The walks are those of sets.hpp, read value by
// value.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

namespace {
constexpr std::size_t kMostTargets = 64;  // of one value
constexpr std::size_t kFewestTargets = 8;
constexpr std::size_t kMostSources = 2;
constexpr std::size_t kMostWordsOfTable = std::size_t{1} << 15U;  // 64-bit words: 256 KiB
constexpr std::size_t kVector = 8;
}  // namespace

bool TargetWriter::write(std::uint32_t node) {
  if (!shared_.layout.packed || !plan_.tags_static(node) || context_.at(node).reaches_test) return false;
  const std::vector<VarId> parameters = analysis_.parameters(context_, node);
  if (parameters.size() != 1) return false;
  const auto walks = find_set_walks(model_, analysis_, context_, node, parameters[0]);
  if (!walks || walks->sources.empty() || walks->sources.size() > kMostSources) return false;
  const std::size_t size = model_.universes[model_.variable_shape(parameters[0]).leaf].size();
  const auto plain = [](const CellSource& source) { return source.kind == CellSource::Kind::contents; };
  if (!std::ranges::all_of(walks->sources, plain)) return false;
  passed_ = context_.at(node).tags_max;
  Targets targets(size);
  std::vector<std::optional<Target>> start(size);
  for (std::optional<Target>& target : start)
    target = Target{std::vector<BitSet>(walks->sources.size(), BitSet(walks->words * 64)), 0};
  if (!collect(*walks, walks->items, start, targets)) return false;
  std::size_t most = 0;
  for (const auto& of_value : targets) most = std::max(most, of_value.size());
  const std::size_t padded = (most + kVector - 1) / kVector * kVector;
  const std::size_t planes = walks->sources.size() * walks->words;
  if (most < kFewestTargets || most > kMostTargets || size * padded * (planes + 1) > kMostWordsOfTable) return false;
  write_targets(*walks, targets, padded, model_.identifiers[parameters[0].value]);
  return true;
}

// `at`: what is needed to come here, by value; none where nobody comes.
bool TargetWriter::collect(const SetWalks& walks, const std::vector<SetItem>& items,
                           const std::vector<std::optional<Target>>& at, Targets& into) const {
  const std::uint32_t bits = shared_.layout.bits;
  for (const SetItem& item : items) {
    if (item.kind == SetItem::Kind::narrow) {
      if (item.conditions.size() != 1) return false;
      const SetCondition& condition = item.conditions[0];
      std::vector<std::optional<Target>> next(at.size());
      for (std::size_t x = 0; x < at.size(); ++x) {
        if (!at[x]) continue;
        if (condition.sure.test(x)) next[x] = at[x];
        for (const Shifted& asked : condition.asked) {
          if (!asked.where.test(x)) continue;
          next[x] = at[x];
          const std::size_t cell =
              asked.cell.empty() ? static_cast<std::size_t>(static_cast<std::int64_t>(x) + asked.delta) : asked.cell[x];
          next[x]->needs[asked.source].set(cell);
        }
      }
      if (!collect(walks, item.inside, next, into)) return false;
    } else if (item.kind == SetItem::Kind::moves) {
      const std::uint32_t count = passed_;
      if ((count + item.tags.size()) * bits > 64) return false;
      for (std::size_t x = 0; x < at.size(); ++x) {
        if (!at[x] || !item.possible.test(x)) continue;
        Target target = *at[x];
        for (std::size_t i = 0; i < item.tags.size(); ++i) {
          if (item.tags[i].outer.valid()) return false;
          target.shown |= std::uint64_t{item.tags[i].tags[x]} << ((count + i) * bits);
        }
        into[x].push_back(std::move(target));
      }
    } else {
      return false;
    }
  }
  return true;
}

void TargetWriter::write_targets(const SetWalks& walks, const Targets& targets, std::size_t padded,
                                 const std::string& value) {
  const std::size_t planes = walks.sources.size() * walks.words;
  std::vector<std::uint64_t> needs;
  std::vector<std::uint64_t> shown;
  std::vector<std::uint64_t> valid;
  for (const auto& of_value : targets) {
    for (std::size_t p = 0; p < planes; ++p) {
      for (std::size_t t = 0; t < padded; ++t) {
        std::vector<std::uint64_t> words(walks.words, 0);
        if (t < of_value.size()) boost::to_block_range(of_value[t].needs[p / walks.words], words.begin());
        needs.push_back(words[p % walks.words]);
      }
    }
    for (std::size_t t = 0; t < padded; ++t) shown.push_back(t < of_value.size() ? of_value[t].shown : 0);
    valid.push_back(of_value.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << of_value.size()) - 1);
  }
  scope_.text.line("// All targets of this value: what each needs is compared with the board.");
  std::string have;
  for (const CellSource& source : walks.sources) {
    const VarId map = model_.game.expressions().variable(model_.game.expressions().root(source.board));
    const std::uint32_t leaf = model_.variable_shape(map).leaf;
    std::string text;
    for (const std::uint32_t code : source.codes) {
      text += fmt::format("{}cells_equal<{}>({}, {})", text.empty() ? "" : " | ", walks.words,
                          expressions_.value(source.board, leaf), shared_.enumerator(leaf, code));
    }
    const std::string name = expressions_.fresh("cells");
    scope_.text.line(fmt::format("const auto {} = {}({});", name, source.negated ? "~" : "", text));
    for (std::size_t w = 0; w < walks.words; ++w)
      have += fmt::format("{}{}.words[{}]", have.empty() ? "" : ", ", name, w);
  }
  const std::string all = expressions_.fresh("have");
  scope_.text.line(fmt::format("const std::uint64_t {}[{}] = {{{}}};", all, planes, have));
  shared_.lists_sets = true;
  shared_.has_targets = true;
  ++shared_.set_ends;
  scope_.text.line(fmt::format("out = add_targets(c, out, moved, {0}[{3}], {1}[{3}], {2}[{3}], {4});",
                               shared_.number_table(needs, {targets.size(), planes, padded}, "std::uint64_t", "needs"),
                               shared_.number_table(shown, {targets.size(), padded}, "std::uint64_t", "shown"),
                               shared_.number_table(valid, {targets.size()}, "std::uint64_t", "valid"), value, all));
}

}  // namespace rgtrans::cpp
