#include "frontends/hrg/terms.hpp"

#include <algorithm>
#include <charconv>

namespace rgtrans::hrg {

namespace {

TermId& at(std::vector<TermId>& table, std::size_t index) {
  if (index >= table.size()) table.resize(std::max(index + 1, table.size() * 2));
  return table[index];
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Character by character, runs of digits by their value.
int compare_natural(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]) ? -1 : 1;
      ++i;
      ++j;
      continue;
    }
    auto run = [](std::string_view text, std::size_t& at) {
      while (at < text.size() && text[at] == '0') ++at;
      const std::size_t begin = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      return text.substr(begin, at - begin);
    };
    const std::string_view x = run(a, i);
    const std::string_view y = run(b, j);
    if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
    if (const int order = x.compare(y); order != 0) return order;
  }
  const std::size_t left = a.size() - i;
  const std::size_t right = b.size() - j;
  if (left != right) return left < right ? -1 : 1;
  return a.compare(b);
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
    std::erase(text, ' ');  // tags of a move are separated by blanks
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
