#include "frontends/hrg/terms.hpp"

#include <algorithm>
#include <charconv>

#include "core/support/text.hpp"

namespace rgtrans::hrg {

namespace {

TermId& at(std::vector<TermId>& table, std::size_t index) {
  if (index >= table.size()) table.resize(std::max(index + 1, table.size() * 2));
  return table[index];
}

}  // namespace

TermId Terms::plain(SymbolId symbol) {
  TermId& id = at(plain_, symbol.value);
  if (id.valid()) return id;
  id = TermId(rows_.size());
  Row row;
  row.symbol = symbol;
  const std::string_view text = symbols_.text(symbol);
  if (!text.empty() && text.size() <= 18) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), row.integer);
    row.is_integer = error == std::errc() && end == text.data() + text.size();
  }
  rows_.push_back(row);
  return id;
}

TermId Terms::integer(std::int64_t value) {
  constexpr std::int64_t kSmall = 1024;
  if (value < 0 || value >= kSmall) return plain(symbols_.intern(std::to_string(value)));
  const auto index = static_cast<std::size_t>(value);
  if (const TermId known = at(small_, index); known.valid()) return known;
  const TermId id = plain(symbols_.intern(std::to_string(value)));
  return small_[index] = id;
}

TermId Terms::make(SymbolId constructor, std::span<const TermId> args) {
  std::uint64_t hash = combine_hash(0xc0, constructor.value);
  for (TermId arg : args) hash = combine_hash(hash, arg.value);
  const auto fresh = static_cast<std::uint32_t>(rows_.size());
  const std::uint32_t row = constructors_.find_or_insert(hash, fresh, [&](std::uint32_t r) {
    return rows_[r].constructor == constructor && std::ranges::equal(this->args(TermId(r)), args);
  });
  if (row == fresh) {
    rows_.push_back(
        {{}, constructor, static_cast<std::uint32_t>(args_.size()), static_cast<std::uint32_t>(args.size()), 0, false});
    args_.insert(args_.end(), args.begin(), args.end());
  }
  return TermId(row);
}

SymbolId Terms::symbol(TermId id) {
  if (rows_[id.value].symbol.valid()) return rows_[id.value].symbol;
  std::string text = symbols_.str(constructor(id));
  text += '_';
  for (std::size_t i = 0; i < args(id).size(); ++i) {
    text += '_';
    text += symbols_.text(symbol(args(id)[i]));
  }
  if (args(id).empty()) text += '_';
  return rows_[id.value].symbol = symbols_.intern(text);
}

std::string Terms::text(TermId id) const {
  if (!constructor(id).valid()) return symbols_.str(rows_[id.value].symbol);
  std::string text = symbols_.str(constructor(id)) + "(";
  for (std::size_t i = 0; i < args(id).size(); ++i) {
    if (i > 0) text += ", ";
    text += this->text(args(id)[i]);
  }
  return text + ")";
}

void Terms::add_words(ir::Words& words) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i].constructor.valid() || !rows_[i].symbol.valid()) continue;
    std::string text = this->text(TermId(i));
    std::erase(text, ' ');  // blanks separate the tags of a move
    words.texts.emplace(rows_[i].symbol, std::move(text));
  }
}

TermId Terms::claim(TermId id) {
  TermId& owner = at(claimed_, symbol(id).value);
  if (!owner.valid()) owner = id;
  return owner == id ? TermId() : owner;
}

TermId Terms::of_symbol(SymbolId symbol) {
  const TermId owner = symbol.value < claimed_.size() ? claimed_[symbol.value] : TermId();
  return owner.valid() ? owner : plain(symbol);
}

int Terms::compare(TermId a, TermId b) const {
  const Row& x = rows_[a.value];
  const Row& y = rows_[b.value];
  if (x.is_integer && y.is_integer) return x.integer < y.integer ? -1 : x.integer > y.integer ? 1 : 0;
  if (x.constructor.valid()) {
    if (x.constructor != y.constructor) {
      return compare_natural(symbols_.text(x.constructor), symbols_.text(y.constructor));
    }
    if (x.count != y.count) return x.count < y.count ? -1 : 1;
    for (std::uint32_t i = 0; i < x.count; ++i) {
      if (const int order = compare(args(a)[i], args(b)[i]); order != 0) return order;
    }
    return 0;
  }
  return compare_natural(symbols_.text(x.symbol), symbols_.text(y.symbol));
}

}  // namespace rgtrans::hrg
