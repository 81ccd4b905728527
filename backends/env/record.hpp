// What is kept of a play: a record of bytes. Behind the position come what is told of the play, the set of its legal
// actions, the parts of the move that is being given, and the tags that somebody saw. Reasoners that are compiled carry
// this text, so it stands on the standard library and env.h, which is to be included before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

namespace rgtrans::env {

enum class PlayStatus : std::uint8_t { playing, terminated, truncated };

// One tag of a move that somebody saw.
struct SeenTag {
  std::uint32_t rank;
  std::uint32_t mover;
  std::uint64_t seen_by;  // a bit for each player
  std::uint32_t part;     // its place in the move
  std::uint32_t move;     // a number of the move
};

template <class Position>
class RecordLayout {
 public:
  explicit RecordLayout(const rgtrans_env_options& options)
      : room_(options.history * options.most_parts), words_((options.actions + 63U) / 64U) {
    more_at_ = kBitsAt + words_ * sizeof(std::uint64_t);
    const bool more = options.factored != 0 || options.history > 0;
    parts_at_ = more_at_ + (more ? sizeof(More) : 0);
    seen_at_ = rounded(parts_at_ + (options.factored != 0 ? options.most_parts : 0) * sizeof(std::uint32_t), 8);
    size_ = rounded(seen_at_ + std::size_t{room_} * sizeof(SeenTag), kAlign);
  }

  static constexpr std::size_t kAlign = 64;

  struct Meta {
    std::uint64_t random;
    std::uint32_t moves;    // of players in this play
    std::uint32_t choices;  // legal actions
    PlayStatus status;
  };
  // Where moves are given in parts, or the moves that were seen are kept.
  struct More {
    std::uint32_t parts;  // of the move that is being given
    std::uint32_t seen;   // tags in the history
    std::uint32_t made;   // moves in it
  };

  [[nodiscard]] std::size_t size() const { return size_; }
  // Without the history.
  [[nodiscard]] std::size_t plain_size() const { return seen_at_; }
  [[nodiscard]] std::uint32_t words() const { return words_; }
  [[nodiscard]] bool has_more() const { return more_at_ < seen_at_; }

  static Position* position(std::byte* record) { return std::launder(reinterpret_cast<Position*>(record)); }
  static const Position* position(const std::byte* record) {
    return std::launder(reinterpret_cast<const Position*>(record));
  }
  static Meta& meta(std::byte* record) { return *reinterpret_cast<Meta*>(record + kMetaAt); }
  static const Meta& meta(const std::byte* record) { return *reinterpret_cast<const Meta*>(record + kMetaAt); }
  static std::uint64_t* bits(std::byte* record) { return reinterpret_cast<std::uint64_t*>(record + kBitsAt); }
  static const std::uint64_t* bits(const std::byte* record) {
    return reinterpret_cast<const std::uint64_t*>(record + kBitsAt);
  }
  [[nodiscard]] More& more(std::byte* record) const { return *reinterpret_cast<More*>(record + more_at_); }
  [[nodiscard]] const More& more(const std::byte* record) const {
    return *reinterpret_cast<const More*>(record + more_at_);
  }
  [[nodiscard]] std::uint32_t* parts(std::byte* record) const {
    return reinterpret_cast<std::uint32_t*>(record + parts_at_);
  }

  // Takes what was seen into the history; the oldest is forgotten when there is no room.
  void note(std::byte* record, const std::vector<SeenTag>& tags) const {
    More& m = more(record);
    auto* const all = reinterpret_cast<SeenTag*>(record + seen_at_);
    for (const SeenTag& tag : tags) {
      if (m.seen == room_) {
        const std::uint32_t forgotten = std::max(room_ / 4, 1U);
        std::memmove(all, all + forgotten, (room_ - forgotten) * sizeof(SeenTag));
        m.seen = room_ - forgotten;
      }
      if (tag.part == 0) ++m.made;
      all[m.seen] = tag;
      all[m.seen++].move = m.made;
    }
  }

  // Calls f(n, tag, part) for the tags of the last moves that the viewer saw something of, the latest first: of the
  // n-th move from the end, `rows` at most, with the tag's place among those that the viewer saw, because where others
  // are hidden says something about them.
  template <class F>
  void for_each_seen(const std::byte* record, std::uint32_t viewer, std::uint32_t rows, F&& f) const {
    const auto* const all = reinterpret_cast<const SeenTag*>(record + seen_at_);
    std::uint32_t row = 0;
    std::uint32_t move = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t k = more(record).seen; k > 0; --k) {
      const SeenTag& tag = all[k - 1];
      if ((tag.seen_by >> viewer & 1U) == 0) continue;
      if (tag.move != move) {
        if (row == rows) break;
        ++row;
        move = tag.move;
      }
      std::size_t part = 0;
      for (std::uint32_t j = k - 1; j > 0 && all[j - 1].move == move; --j) part += all[j - 1].seen_by >> viewer & 1U;
      f(row - 1, tag, part);
    }
  }

 private:
  static constexpr std::size_t rounded(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }
  static constexpr std::size_t kMetaAt = rounded(sizeof(Position), alignof(Meta));
  static constexpr std::size_t kBitsAt = rounded(kMetaAt + sizeof(Meta), alignof(std::uint64_t));

  std::uint32_t room_;  // tags of the history
  std::uint32_t words_;
  std::size_t more_at_ = 0, parts_at_ = 0, seen_at_ = 0, size_ = 0;
};

}  // namespace rgtrans::env
