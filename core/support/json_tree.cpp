// nlohmann-json reports events (a string, the begin of an array …) without places. The parser therefore reads the
// characters through an iterator that records its position, which gives the end of the current token at each event.
#include "core/support/json_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/support/json_text.hpp"

namespace rgtrans {

namespace {

// An iterator that records how far the parser has read.
class TrackingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackingIterator(const char* at, const char** shared) : at_(at), shared_(shared) {}
  reference operator*() const { return *at_; }
  TrackingIterator& operator++() {
    ++at_;
    *shared_ = at_;
    return *this;
  }
  bool operator!=(const TrackingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** shared_;
};

}  // namespace

// Receives the events of the parser.
class JsonReader {
 public:
  using Kind = JsonTree::Kind;
  using Row = JsonTree::Row;

  JsonReader(JsonTree& tree, Diagnostics& diagnostics, const JsonTree::Bounds& bounds)
      : tree_(tree),
        file_(tree.file_),
        diagnostics_(diagnostics),
        bounds_(bounds),
        at_(file_.text.data()),
        last_(at_) {}

  bool run() {
    const std::string& text = file_.text;
    const bool marked = text.starts_with("\xef\xbb\xbf");
    last_ = at_ = text.data() + (marked ? 3 : 0);
    if (const char* comma = comma_beyond_the_limit(); comma != nullptr) {
      const auto place = static_cast<std::size_t>(comma - text.data());
      return too_many(file_.range(place, place + 1));
    }
    if (const std::size_t zero = find_zero_byte(text); zero != std::string::npos) {
      diagnostics_.error(file_.range(zero, zero + 1), "not JSON: a byte 0");
      return false;
    }
    const TrackingIterator begin(at_, &at_);
    const TrackingIterator end(text.data() + text.size(), &at_);
    return nlohmann::json::sax_parse(begin, end, this);
  }

  // --- Events ---
  bool null() { return scalar(Kind::null, 0); }
  bool boolean(bool) { return scalar(Kind::boolean, 0); }
  // The parser recognises the end of a number only after it has read the next character.
  bool number_integer(std::int64_t) { return scalar(Kind::number, 1); }
  bool number_unsigned(std::uint64_t) { return scalar(Kind::number, 1); }
  bool number_float(double, const std::string&) { return scalar(Kind::number, 1); }
  bool string(std::string& value) {
    const Range where = token(0);
    return add(Kind::string, spelt(where, value));
  }
  template <typename Binary>
  bool binary(Binary&) {
    return false;
  }
  bool start_object(std::size_t) { return open(Kind::object); }
  bool start_array(std::size_t) { return open(Kind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& value) {
    key_ = spelt(token(0), value).begin;
    return true;
  }
  template <typename Exception>
  bool parse_error(std::size_t position, const std::string&, const Exception& exception) {
    const std::size_t size = file_.text.size();
    const std::size_t at = std::min(position == 0 ? 0 : position - 1, size);
    std::string message = exception.what();
    // Shortens a message such as "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …;
    // last read: …"
    if (const auto cut = message.find(": "); cut != std::string::npos) message.erase(0, cut + 2);
    if (const auto cut = message.find("; last read"); cut != std::string::npos) {
      const auto rest = std::min(message.find("; expected", cut), message.size());
      message.erase(cut, rest - cut);
    }
    constexpr std::size_t kLongest = 200;
    if (message.size() > kLongest) message.resize(kLongest);
    diagnostics_.error(file_.range(at, std::min(at + 1, size)), "not JSON: " + message);
    return false;
  }

 private:
  struct Open {
    Row row;
    Row last_child;
  };

  // The last token. The parser has read `beyond` characters past its end.
  Range token(std::ptrdiff_t beyond) {
    const char* text = file_.text.data();
    const char* end = text + file_.text.size();
    const char* stop = at_ - (at_ == end ? 0 : beyond);
    if (at_ == end && beyond > 0) {
      while (stop > last_ && std::string_view(" \t\r\n]},:").find(stop[-1]) != std::string_view::npos) --stop;
    }
    const char* start = last_;
    while (start < stop && std::string_view(" \t\r\n,:").find(*start) != std::string_view::npos) ++start;
    last_ = stop;
    return file_.range(static_cast<std::size_t>(start - text), static_cast<std::size_t>(stop - text));
  }

  // The place of a string without its quotes. Strings with escapes are recorded in respelt_.
  Range spelt(Range quoted, const std::string& value) {
    const Range inner{quoted.begin + 1, quoted.end - 1};
    if (inner.end - inner.begin != value.size() || tree_.spelling(inner) != value) tree_.respelt_[inner.begin] = value;
    return inner;
  }

  bool scalar(Kind kind, std::ptrdiff_t beyond) { return add(kind, token(beyond)); }

  // Rejects a text with too many values before building its tree, by counting commas: a value precedes each comma.
  // Commas in strings are excluded only if the plain count exceeds the limit.
  [[nodiscard]] const char* comma_beyond_the_limit() const {
    const char* end = file_.text.data() + file_.text.size();
    if (static_cast<std::uint64_t>(std::count(at_, end, ',')) < bounds_.values) return nullptr;
    std::uint64_t commas = 0;
    bool quoted = false;
    for (const char* at = at_; at != end; ++at) {
      if (*at == '"') {
        quoted = !quoted;
      } else if (quoted && *at == '\\') {
        if (++at == end) break;
      } else if (!quoted && *at == ',' && ++commas == bounds_.values) {
        return at;
      }
    }
    return nullptr;
  }

  bool too_many(Range where) {
    diagnostics_.error(where, fmt::format("more than {} JSON values", bounds_.values), bounds_.values.advice());
    return false;
  }

  bool add(Kind kind, Range where) {
    if (tree_.rows_.size() >= bounds_.values) return too_many(where);
    const auto row = static_cast<Row>(tree_.rows_.size());
    JsonTree::Node node;
    node.where = where;
    node.kind = kind;
    node.key = key_;
    key_ = 0;
    tree_.rows_.push_back(node);
    if (!open_.empty()) {
      Open& parent = open_.back();
      (parent.last_child == kNone ? tree_.rows_[parent.row].first : tree_.rows_[parent.last_child].next) = row;
      parent.last_child = row;
    }
    return true;
  }

  bool open(Kind kind) {
    const Range where = token(0);
    if (open_.size() >= bounds_.depth) {
      diagnostics_.error(where, fmt::format("nested more than {} levels deep", bounds_.depth), bounds_.advice);
      return false;
    }
    if (!add(kind, where)) return false;
    open_.push_back({static_cast<Row>(tree_.rows_.size() - 1), kNone});
    return true;
  }

  bool close() {
    tree_.rows_[open_.back().row].where.end = token(0).end;
    open_.pop_back();
    return true;
  }

  JsonTree& tree_;
  const Sources::File& file_;
  Diagnostics& diagnostics_;
  const JsonTree::Bounds& bounds_;
  const char* at_;    // advanced by the iterator
  const char* last_;  // end of the previous token
  std::uint32_t key_ = 0;
  std::vector<Open> open_;
};

JsonTree::JsonTree(const Sources::File& file, Diagnostics& diagnostics, const Bounds& bounds) : file_(file) {
  if (!JsonReader(*this, diagnostics, bounds).run()) rows_.clear();
}

const std::string* JsonTree::respelt_at(std::uint32_t place) const {
  if (respelt_.empty()) return nullptr;
  const auto it = respelt_.find(place);
  return it == respelt_.end() ? nullptr : &it->second;
}

std::string_view JsonTree::spelling(Range range) const {
  return std::string_view(file_.text).substr(range.begin - file_.base, range.end - range.begin);
}

std::string_view JsonTree::text(Row row) const {
  const std::string* meant = respelt_at(rows_[row].where.begin);
  return meant != nullptr ? *meant : spelling(rows_[row].where);
}

Range JsonTree::key_range(Row row) const {
  const std::uint32_t at = rows_[row].key;
  std::size_t end = at - file_.base;
  while (file_.text[end] != '"') end += file_.text[end] == '\\' ? 2 : 1;
  return {at, file_.base + static_cast<std::uint32_t>(end)};
}

std::string_view JsonTree::key(Row row) const {
  const std::string* meant = respelt_at(rows_[row].key);
  return meant != nullptr ? *meant : spelling(key_range(row));
}

JsonTree::Row JsonTree::member(Row object, std::string_view key) const {
  if (rows_[object].kind != Kind::object) return kNone;
  const std::string_view file = file_.text;
  for (Row row = rows_[object].first; row != kNone; row = rows_[row].next) {
    const std::uint32_t at = rows_[row].key;
    if (const std::string* meant = respelt_at(at)) {
      if (*meant == key) return row;
      continue;
    }
    const std::string_view rest = file.substr(at - file_.base);
    if (rest.size() > key.size() && rest.starts_with(key) && rest[key.size()] == '"') return row;
  }
  return kNone;
}

std::string_view kind_name(JsonTree::Kind kind) {
  switch (kind) {
    case JsonTree::Kind::null:
      return "null";
    case JsonTree::Kind::boolean:
      return "a Boolean";
    case JsonTree::Kind::number:
      return "a number";
    case JsonTree::Kind::string:
      return "a string";
    case JsonTree::Kind::array:
      return "an array";
    case JsonTree::Kind::object:
      break;
  }
  return "an object";
}

}  // namespace rgtrans
