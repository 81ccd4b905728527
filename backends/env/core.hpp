// The batch engine: steps many plays, independent of the source of the rules. Compiled reasoners embed this file, so it
// depends only on the standard library and on env.h, which must be included first.
//
// A record contains a position, the play's own random numbers, and its legal actions as a bit set. Actions are checked
// and drawn from this set without evaluating the rules. Nothing is allocated once the workspaces have reached their
// final size.
//
// Plays are stepped in blocks: first all moves, then their consequences, then the output. Memory latency of one play is
// thus hidden behind work on others. Plays whose rules are at the same place are processed together, which helps branch
// prediction. Plays are independent, so the order does not affect results.
//
// There is one Rules object per thread. Rules have
//   struct Shared, constructed from the options, with float reward(score), std::size_t tags(), std::uint32_t players();
//   struct Position, stored in a record; static void prepare(Position&, const Shared&), release(Position&);
//   static constexpr bool kCopied, whether a position can be copied bytewise; std::uint32_t place(const Position&), the
//   place of the rules in it; void initial(Position&); bool advance(Position&), makes keeper's moves; bool
//   terminal(const Position&); std::uint32_t mover(const Position&), players() + 1 for random; std::uint32_t
//   score(const Position&, player); bool mark(Position&, std::uint64_t* bits), sets a bit for each legal move's number,
//   or returns false if moves must be listed; std::size_t list(Position&), lists all moves; std::size_t
//   list_parts(Position&, const std::uint32_t* given, std::uint32_t count), lists at least one move per continuation of
//   the given ranks of tags; then for the listed moves: std::uint32_t number(i), length(i), rank(i, part); bool
//   make(Position&, i), bool play(Position&, number); bool alive(const Position&, const rgtrans_env_op&), std::uint32_t
//   cell(const Position&, const rgtrans_env_op&); if the options request a history: const std::vector<SeenTag>&
//   notes(), void clear_notes().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <vector>
#ifdef __AVX512BW__
#include <immintrin.h>
#endif

namespace rgtrans::env {

inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

constexpr std::uint32_t kMostForced =
    100'000;                                // moves of keeper in a row, or of random; a play with more never goes on
constexpr std::uint32_t kMostViewers = 64;  // players in games that hide moves

// A tag that some player saw.
struct SeenTag {
  std::uint32_t rank;
  std::uint32_t mover;
  std::uint64_t seen_by;  // one bit per player
  std::uint32_t part;     // position in the move
  std::uint32_t move;     // number of the move
};

enum class PlayStatus : std::uint8_t { playing, terminated, truncated };

template <class Rules>
class Core {
 public:
  using Shared = typename Rules::Shared;
  using Position = typename Rules::Position;

  explicit Core(const rgtrans_env_options& options) : options_(options), shared_(options) {
    if (options_.most_moves == 0) options_.most_moves = std::numeric_limits<std::uint32_t>::max();
    ops_.assign(options.ops, options.ops + options.op_count);
    words_ = (options.actions + 63U) / 64U;
    more_at_ = kBitsAt + words_ * sizeof(std::uint64_t);
    const bool more = options.factored != 0 || options.history > 0;
    parts_at_ = more_at_ + (more ? sizeof(More) : 0);
    seen_at_ = rounded(parts_at_ + (options.factored != 0 ? options.most_parts : 0) * sizeof(std::uint32_t), 8);
    // Each player may have seen other moves. The room for one more history makes the search for needless tags rare.
    room_ = std::size_t{options.history} * options.most_parts * (shared_.players() + std::size_t{1});
    size_ = rounded(seen_at_ + room_ * sizeof(SeenTag), kAlign);
    if (Rules::kCopied && options.history == 0) make_opening();
  }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  [[nodiscard]] const Shared& shared() const { return shared_; }
  [[nodiscard]] std::size_t record_size() const { return size_; }

  void prepare(std::byte* records, std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) {
      std::memset(records + i * size_, 0, size_);
      Rules::prepare(*position(records + i * size_), shared_);
      meta(records + i * size_).status = PlayStatus::truncated;
      meta(records + i * size_).told = true;
    }
  }
  void release(std::byte* records, std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) Rules::release(*position(records + i * size_));
  }

  void reset(Rules& rules, std::byte* records, std::size_t first, std::size_t last,
             const rgtrans_env_buffers& buffers) const {
    for (std::size_t i = first; i < last; ++i) {
      if (buffers.chosen != nullptr && buffers.chosen[i] == 0) continue;
      std::byte* const record = records + i * size_;
      if (buffers.seeds != nullptr) meta(record).random = mixed(buffers.seeds[i] + 0x9e3779b97f4a7c15U);
      begin(rules, record);
    }
    clear_results(first, last, buffers);
    if (buffers.terminated != nullptr) {
      each_chosen(first, last, buffers, [&](std::size_t i) {
        std::byte* const record = records + i * size_;
        if (meta(record).status != PlayStatus::playing) tell_result(rules, record, i, buffers);
      });
    }
    write(rules, records, first, last, buffers);
  }

  [[nodiscard]] std::size_t check(const std::byte* records, std::size_t first, std::size_t last,
                                  const rgtrans_env_buffers& buffers) const {
    for (std::size_t i = first; i < last; ++i) {
      if (buffers.chosen != nullptr && buffers.chosen[i] == 0) continue;
      const std::byte* const record = records + i * size_;
      const PlayStatus status = meta(record).status;
      const bool goes_on = options_.reset_mode != RGTRANS_ENV_STAY || !meta(record).told;
      if (status != PlayStatus::playing && goes_on) continue;
      if (status != PlayStatus::playing || !legal(record, buffers.actions[i])) return i;
    }
    return last;
  }

  void step(Rules& rules, std::byte* records, std::size_t first, std::size_t last,
            const rgtrans_env_buffers& buffers) const {
    for (; first < last; first += kBlock) {
      step_block(rules, records, first, std::min(first + kBlock, last), buffers);
    }
  }

  void sample(std::byte* records, std::size_t first, std::size_t last, std::int32_t* actions) const {
    for (std::size_t i = first; i < last; ++i) {
      std::byte* const record = records + i * size_;
      Meta& m = meta(record);
      actions[i] = 0;
      if (m.status != PlayStatus::playing) continue;
      std::uint32_t left = below(m.random, m.choices);
      const std::uint64_t* word = bits(record);
      if (words_ == 1) {
        actions[i] = static_cast<std::int32_t>(place_of(*word, left));
        continue;
      }
      for (std::uint32_t w = 0; w < words_; ++w) {
        const auto here = static_cast<std::uint32_t>(__builtin_popcountll(word[w]));
        if (left >= here) {
          left -= here;
          continue;
        }
        actions[i] = static_cast<std::int32_t>(w * 64U + place_of(word[w], left));
        break;
      }
    }
  }

  // Writes the observations and masks for the caller.
  void write(Rules& rules, const std::byte* records, std::size_t first, std::size_t last,
             const rgtrans_env_buffers& buffers) const {
    const std::size_t size = size_;
    const std::size_t words = words_;
    const std::uint32_t actions = options_.actions;
    if (std::uint64_t* const to = buffers.mask_bits; to != nullptr) {
      each_chosen(first, last, buffers,
                  [=](std::size_t i) { std::memcpy(to + i * words, bits(records + i * size), words * sizeof *to); });
    }
    if (std::uint8_t* const to = buffers.mask; to != nullptr) {
      each_chosen(first, last, buffers,
                  [=](std::size_t i) { write_bytes(bits(records + i * size), actions, to + i * actions); });
    }
    if (std::int32_t* const to = buffers.player; to != nullptr) {
      each_chosen(first, last, buffers, [=, &rules](std::size_t i) {
        const std::byte* const record = records + i * size;
        const auto mover = static_cast<std::int32_t>(rules.mover(*position(record)));
        to[i] = meta(record).status == PlayStatus::playing ? mover : -1;
      });
    }
    if (buffers.observation == nullptr) return;
    each_chosen(first, last, buffers, [&](std::size_t i) {
      if (options_.observation_float != 0) {
        observe(rules, records + i * size, buffers,
                static_cast<float*>(buffers.observation) + i * options_.observation);
      } else {
        observe(rules, records + i * size, buffers,
                static_cast<std::uint8_t*>(buffers.observation) + i * options_.observation);
      }
    });
  }

 private:
  static constexpr std::size_t kAlign = 64;
  static constexpr std::size_t kBlock = 128;
  static constexpr std::uint32_t kFewWords = 64;

  struct Meta {
    std::uint64_t random;
    std::uint32_t moves;    // moves of players in this play
    std::uint32_t choices;  // number of legal actions
    PlayStatus status;
    bool told;  // the caller knows that the play is over
  };
  // Additional data if moves are given in parts or a history of seen moves is kept.
  struct More {
    std::uint32_t parts;  // parts of the current move so far
    std::uint32_t seen;   // tags in the history
    std::uint32_t made;   // moves in the history
  };

  // The plays of a block, grouped by the place of their rules.
  class Order {
   public:
    void add(std::uint32_t place, std::size_t play) {
      const std::uint32_t shift = place % kCounts * 8;
      const std::uint64_t second = place % kPlaces < kCounts ? 0 : ~std::uint64_t{0};
      const std::uint64_t count = ((first_ & ~second) | (second_ & second)) >> shift & kMost;
      plays_[place % kPlaces][count] = static_cast<std::uint8_t>(play);
      const std::uint64_t one = std::uint64_t{1} << shift;
      first_ += one & ~second;
      second_ += one & second;
    }
    template <class F>
    void each(F&& f) const {
      for (std::size_t place = 0; place < kPlaces; ++place) {
        const std::size_t count = (place < kCounts ? first_ : second_) >> (place % kCounts * 8) & kMost;
        for (std::size_t k = 0; k < count; ++k) f(plays_[place][k]);
      }
    }

   private:
    static constexpr std::size_t kPlaces = 16, kCounts = kPlaces / 2;
    static constexpr std::uint64_t kMost = 255;
    static_assert(kBlock <= kMost);
    // Counts by place, one byte each in two words, which stay in registers.
    std::uint64_t first_ = 0, second_ = 0;
    std::uint8_t plays_[kPlaces][kBlock];
  };

  static constexpr std::size_t rounded(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }
  static Position* position(std::byte* record) { return std::launder(reinterpret_cast<Position*>(record)); }
  static const Position* position(const std::byte* record) {
    return std::launder(reinterpret_cast<const Position*>(record));
  }
  static constexpr std::size_t kMetaAt = rounded(sizeof(Position), alignof(Meta));
  static constexpr std::size_t kBitsAt = rounded(kMetaAt + sizeof(Meta), alignof(std::uint64_t));
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
  [[nodiscard]] SeenTag* seen(std::byte* record) const { return reinterpret_cast<SeenTag*>(record + seen_at_); }
  [[nodiscard]] const SeenTag* seen(const std::byte* record) const {
    return reinterpret_cast<const SeenTag*>(record + seen_at_);
  }

  static std::uint32_t below(std::uint64_t& state, std::uint32_t n) {
    state += 0x9e3779b97f4a7c15U;
    return static_cast<std::uint32_t>((mixed(state) >> 32U) * n >> 32U);
  }

  // The position of the set bit with `below` set bits below it.
  static std::uint32_t place_of(std::uint64_t word, std::uint32_t below) {
#ifdef __BMI2__
    return static_cast<std::uint32_t>(__builtin_ctzll(__builtin_ia32_pdep_di(std::uint64_t{1} << below, word)));
#else
    for (; below > 0; --below) word &= word - 1;
    return static_cast<std::uint32_t>(__builtin_ctzll(word));
#endif
  }

  [[nodiscard]] bool legal(const std::byte* record, std::int32_t action) const {
    const auto number = static_cast<std::uint32_t>(action);
    return number < options_.actions && (bits(record)[number / 64U] >> (number % 64U) & 1U) != 0;
  }

  // --- A play. ---

  [[gnu::noinline]] void begin(Rules& rules, std::byte* record) const {
    Meta& m = meta(record);
    if (!opening_.empty()) {
      const std::uint64_t random = m.random;
      std::memcpy(record, opening_.data(), opening_.size());
      m.random = random;
      return;
    }
    rules.initial(*position(record));
    m.moves = 0;
    if (more_at_ < seen_at_) more(record) = {};
    m.status = PlayStatus::playing;
    m.told = false;
    go_on(rules, record);
  }

  // Caches the first position of a play, unless it depends on chance.
  void make_opening() {
    struct alignas(kAlign) Line {
      std::byte bytes[kAlign];
    };
    std::vector<Line> memory(size_ / kAlign);
    std::byte* const record = memory.front().bytes;
    prepare(record, 0, 1);
    const std::uint64_t random = meta(record).random;
    Rules rules(shared_);
    begin(rules, record);
    if (meta(record).random == random) opening_.assign(record, record + seen_at_);
    release(record, 0, 1);
  }

  // Makes the moves of keeper and random, then finds the legal actions. Inlined, because in small games the call would
  // cost more than the work.
  [[gnu::always_inline]] void go_on(Rules& rules, std::byte* record) const {
    Meta& m = meta(record);
    Position& at = *position(record);
    for (std::uint32_t forced = 0;; ++forced) {
      const bool advanced = rules.advance(at);
      note(rules, record);
      if (!advanced || forced == kMostForced) {
        m.status = PlayStatus::truncated;  // keeper has no move, or keeper or random move without end
        break;
      }
      if (rules.terminal(at)) {
        m.status = PlayStatus::terminated;
        break;
      }
      if (rules.mover(at) != shared_.players() + 1) break;
      const auto count = static_cast<std::uint32_t>(rules.list(at));
      if (count == 0 || !rules.make(at, in_order(rules, count, below(m.random, count)))) {
        m.status = PlayStatus::truncated;
        break;
      }
      note(rules, record);
    }
    find_legal(rules, record);
  }

  // The listed move at position `place` in the order of all moves, which is independent of the engine.
  static std::uint32_t in_order(Rules& rules, std::uint32_t count, std::uint32_t place) {
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
      for (std::uint32_t k = 0;; ++k) {
        if (k >= rules.length(b)) return false;
        if (k >= rules.length(a)) return true;
        if (rules.rank(a, k) != rules.rank(b, k)) return rules.rank(a, k) < rules.rank(b, k);
      }
    };
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t before = 0;
      for (std::uint32_t k = 0; k < count; ++k) before += less(k, i) ? 1U : 0U;
      if (before == place) return i;
    }
    return 0;
  }

  [[gnu::always_inline]] void find_legal(Rules& rules, std::byte* record) const {
    Meta& m = meta(record);
    std::uint64_t* const word = bits(record);
    clear_legal(record);
    if (m.status != PlayStatus::playing) return;
    if (options_.factored != 0 || !mark(rules, *position(record), word)) mark_listed(rules, record);
    std::uint32_t choices = 0;
    for (std::uint32_t w = 0; w < words_; ++w) choices += static_cast<std::uint32_t>(__builtin_popcountll(word[w]));
    m.choices = choices;
    if (m.choices == 0) m.status = PlayStatus::truncated;  // no action can continue the play
  }
  void clear_legal(std::byte* record) const {
    meta(record).choices = 0;
    if (words_ == 1) {
      bits(record)[0] = 0;
    } else {
      std::memset(bits(record), 0, words_ * sizeof(std::uint64_t));
    }
  }

  // A single word can stay in a register.
  bool mark(Rules& rules, Position& at, std::uint64_t* word) const {
    if (words_ > 1) return rules.mark(at, word);
    std::uint64_t only = 0;
    const bool marked = rules.mark(at, &only);
    *word = only;
    return marked;
  }

  [[gnu::noinline]] void mark_listed(Rules& rules, std::byte* record) const {
    std::uint64_t* const word = bits(record);
    const std::size_t count = options_.factored != 0 ? list_parts(rules, record) : rules.list(*position(record));
    const auto number_of = [&](std::size_t i) {
      return options_.factored != 0 ? next_part(rules, record, i) : rules.number(i);
    };
    if (words_ <= kFewWords) {
      // Byte stores are independent of each other; afterwards eight bytes become eight bits at once.
      std::uint8_t marks[kFewWords * 64];
      std::memset(marks, 0, std::size_t{words_} * 64);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t number = number_of(i);
        if (number < options_.actions) marks[number] = 1;
      }
      for (std::uint32_t w = 0; w < words_; ++w) word[w] = packed(marks + std::size_t{w} * 64);
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t number = number_of(i);
        if (number < options_.actions) word[number / 64U] |= std::uint64_t{1} << (number % 64U);
      }
    }
  }

  // Converts 64 bytes of 0 or 1 to bits, and bits to bytes.
  static std::uint64_t packed(const std::uint8_t* marks) {
    std::uint64_t result = 0;
    for (unsigned k = 0; k < 8; ++k) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, marks + std::size_t{k} * 8, 8);
      result |= (eight * 0x0102040810204080U >> 56U) << (k * 8U);
    }
    return result;
  }
  static std::uint64_t spread(std::uint64_t byte) {
    const std::uint64_t bits = byte * 0x0101010101010101U & 0x8040201008040201U;
    return (bits + 0x7f7f7f7f7f7f7f7fU) >> 7U & 0x0101010101010101U;
  }
  static void write_bytes(const std::uint64_t* word, std::uint32_t count, std::uint8_t* to) {
    std::uint32_t at = 0;
#ifdef __AVX512BW__
    for (; at < count; at += 64) {
      const __mmask64 there = count - at >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (count - at)) - 1;
      _mm512_mask_storeu_epi8(to + at, there, _mm512_maskz_set1_epi8(word[at / 64U], 1));
    }
#else
    for (; at + 8 <= count; at += 8) {
      const std::uint64_t eight = spread(word[at / 64U] >> (at % 64U) & 0xffU);
      std::memcpy(to + at, &eight, 8);
    }
    for (; at < count; ++at) to[at] = word[at / 64U] >> (at % 64U) & 1U;
#endif
  }

  std::size_t list_parts(Rules& rules, std::byte* record) const {
    return rules.list_parts(*position(record), parts(record), more(record).parts);
  }
  // The action that continues to a listed move in the factored form; none if the move does not begin with the given
  // parts.
  std::uint32_t next_part(Rules& rules, std::byte* record, std::size_t i) const {
    const More& m = more(record);
    const std::uint32_t* const given = parts(record);
    const std::uint32_t length = rules.length(i);
    if (length < m.parts || length > options_.most_parts) return std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t k = 0; k < m.parts; ++k) {
      if (rules.rank(i, k) != given[k]) return std::numeric_limits<std::uint32_t>::max();
    }
    return length == m.parts ? 0 : rules.rank(i, m.parts) + 1;
  }

  // Adds a part of a move. Returns false if more parts are needed.
  bool give_part(Rules& rules, std::byte* record, std::uint32_t action) const {
    More& m = more(record);
    if (action != 0) parts(record)[m.parts++] = action - 1;
    const std::size_t count = list_parts(rules, record);
    std::size_t whole = count;
    bool longer = false;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t next = next_part(rules, record, i);
      if (next == 0) whole = i;
      longer = longer || (next != 0 && next < options_.actions);
    }
    if (whole == count || (longer && action != 0)) return false;
    m.parts = 0;
    if (!rules.make(*position(record), whole)) meta(record).status = PlayStatus::truncated;
    return true;
  }

  void step_block(Rules& rules, std::byte* records, std::size_t first, std::size_t last,
                  const rgtrans_env_buffers& buffers) const {
    if (buffers.drawn != nullptr) sample(records, first, last, buffers.drawn);
    const std::int32_t* const actions = buffers.drawn != nullptr ? buffers.drawn : buffers.actions;
    Order order;
    each_chosen(first, last, buffers,
                [&](std::size_t i) { order.add(rules.place(*position(records + i * size_)), i - first); });
    clear_results(first, last, buffers);
    std::uint8_t moved[kBlock];
    std::size_t count = 0;
    order.each([&](std::size_t i) {
      moved[count] = static_cast<std::uint8_t>(i);
      i += first;
      count += give(rules, records + i * size_, i, actions[i], buffers) ? 1 : 0;
    });
    std::size_t ended = 0;
    for (std::size_t k = 0; k < count; ++k) {
      std::byte* const record = records + (first + moved[k]) * size_;
      settle(rules, record);
      moved[ended] = moved[k];
      ended += meta(record).status != PlayStatus::playing ? 1 : 0;
    }
    for (std::size_t k = 0; k < ended; ++k) {
      finish(rules, records + (first + moved[k]) * size_, first + moved[k], buffers);
    }
    write(rules, records, first, last, buffers);
  }

  template <class F>
  static void each_chosen(std::size_t first, std::size_t last, const rgtrans_env_buffers& buffers, F&& f) {
    if (buffers.chosen == nullptr) {
      for (std::size_t i = first; i < last; ++i) f(i);
    } else {
      for (std::size_t i = first; i < last; ++i) {
        if (buffers.chosen[i] != 0) f(i);
      }
    }
  }

  // Makes a move. Returns true if its consequences must then be computed.
  bool give(Rules& rules, std::byte* record, std::size_t i, std::int32_t action,
            const rgtrans_env_buffers& buffers) const {
    Meta& m = meta(record);
    if (m.status != PlayStatus::playing) {
      if (!m.told) {
        finish(rules, record, i, buffers);  // it was over when it began
      } else if (options_.reset_mode != RGTRANS_ENV_STAY && buffers.stay == 0) {
        begin(rules, record);
        if (m.status != PlayStatus::playing) tell_result(rules, record, i, buffers);
      }
      return false;
    }
    if (!legal(record, action)) {
      lose(rules, record, i, buffers);
      return false;
    }
    bool done = true;
    if (options_.factored != 0) {
      done = give_part(rules, record, static_cast<std::uint32_t>(action));
    } else if (!rules.play(*position(record), static_cast<std::uint32_t>(action))) {
      m.status = PlayStatus::truncated;
    }
    if (done) {
      note(rules, record);
    } else {
      find_legal(rules, record);
    }
    return done;
  }

  void settle(Rules& rules, std::byte* record) const {
    Meta& m = meta(record);
    if (m.status == PlayStatus::playing) go_on(rules, record);
    if (++m.moves >= options_.most_moves && m.status == PlayStatus::playing) {
      m.status = PlayStatus::truncated;
      clear_legal(record);
    }
  }

  void finish(Rules& rules, std::byte* record, std::size_t i, const rgtrans_env_buffers& buffers) const {
    tell_result(rules, record, i, buffers);
    restart(rules, record, buffers);
  }

  void tell_result(Rules& rules, std::byte* record, std::size_t i, const rgtrans_env_buffers& buffers) const {
    if (meta(record).status == PlayStatus::terminated && buffers.rewards != nullptr) {
      for (std::uint32_t p = 0; p < shared_.players(); ++p) {
        buffers.rewards[i * shared_.players() + p] = shared_.reward(rules.score(*position(record), p));
      }
    }
    tell_end(record, i, buffers);
  }

  // As in PGX: -1 for the mover, 1 for every other player.
  void lose(Rules& rules, std::byte* record, std::size_t i, const rgtrans_env_buffers& buffers) const {
    Meta& m = meta(record);
    const std::uint32_t mover = rules.mover(*position(record));
    m.status = PlayStatus::terminated;
    clear_legal(record);
    for (std::uint32_t p = 0; p < shared_.players() && buffers.rewards != nullptr; ++p) {
      buffers.rewards[i * shared_.players() + p] = p == mover ? -1.0F : 1.0F;
    }
    tell_end(record, i, buffers);
    restart(rules, record, buffers);
  }

  void tell_end(std::byte* record, std::size_t i, const rgtrans_env_buffers& buffers) const {
    const PlayStatus status = meta(record).status;
    meta(record).told = true;
    if (buffers.terminated != nullptr) buffers.terminated[i] = status == PlayStatus::terminated ? 1 : 0;
    if (buffers.truncated != nullptr) buffers.truncated[i] = status == PlayStatus::truncated ? 1 : 0;
  }
  void restart(Rules& rules, std::byte* record, const rgtrans_env_buffers& buffers) const {
    if (options_.reset_mode == RGTRANS_ENV_SAME_STEP && buffers.stay == 0) begin(rules, record);
  }

  void clear_results(std::size_t first, std::size_t last, const rgtrans_env_buffers& buffers) const {
    const auto clear = [&](auto* array, std::size_t size) {
      if (array == nullptr) return;
      if (buffers.chosen == nullptr) {
        std::fill(array + first * size, array + last * size, 0);
      } else {
        each_chosen(first, last, buffers, [&](std::size_t i) { std::fill_n(array + i * size, size, 0); });
      }
    };
    clear(buffers.rewards, shared_.players());
    clear(buffers.terminated, 1);
    clear(buffers.truncated, 1);
  }

  // --- Observations. ---

  template <class T>
  void observe(Rules& rules, const std::byte* record, const rgtrans_env_buffers& buffers, T* out) const {
    std::memset(out, 0, options_.observation * sizeof(T));
    const Position& at = *position(record);
    const std::uint32_t mover = rules.mover(at);
    const std::uint32_t viewer = buffers.viewer >= 0         ? static_cast<std::uint32_t>(buffers.viewer)
                                 : mover < shared_.players() ? mover
                                                             : 0;
    if (options_.history > 0) return tell_history(record, viewer, out);
    // To the compiler, a store of a byte may change any object. So `end` and `op` are local copies.
    const rgtrans_env_op* const end = ops_.data() + ops_.size();
    for (const rgtrans_env_op* next = ops_.data(); next != end; ++next) {
      const rgtrans_env_op op = *next;
      if (op.alive != nullptr && !rules.alive(at, op)) continue;
      const std::uint32_t value = op.width == 0 ? mover : rules.cell(at, op);
      if (value >= op.values) continue;
      const std::int32_t place = op.places[(op.views > 1 ? viewer * op.values : 0U) + value];
      if (place < 0) continue;
      T* const first = out + op.base + place;
      *first = 1;
      if (op.count == 1) continue;
      if (op.step == 1) {
        std::fill_n(first, op.count, static_cast<T>(1));
      } else {
        for (std::uint32_t k = 1; k < op.count; ++k) first[std::size_t{k} * op.step] = 1;
      }
    }
  }

  // The last moves that the viewer saw a part of, latest first. For each: the mover, then a one for each tag.
  template <class T>
  void tell_history(const std::byte* record, std::uint32_t viewer, T* out) const {
    const std::size_t tags = shared_.tags();
    const std::size_t row = shared_.players() + 2 + std::size_t{options_.most_parts} * tags;
    const SeenTag* const all = seen(record);
    std::uint32_t rows = 0;
    std::uint32_t move = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t k = more(record).seen; k > 0; --k) {
      const SeenTag& tag = all[k - 1];
      if ((tag.seen_by >> viewer & 1U) == 0) continue;
      if (tag.move != move) {
        if (rows == options_.history) break;
        ++rows;
        move = tag.move;
      }
      T* const here = out + (rows - 1) * row;
      here[tag.mover] = 1;
      // The position among the tags that the viewer saw: the true position would reveal hidden tags.
      std::size_t part = 0;
      for (std::uint32_t j = k - 1; j > 0 && all[j - 1].move == move; --j) part += all[j - 1].seen_by >> viewer & 1U;
      if (part < options_.most_parts) here[shared_.players() + 2 + part * tags + tag.rank] = 1;
    }
  }

  // Adds the rules' notes to the history.
  void note(Rules& rules, std::byte* record) const {
    if (options_.history == 0) return;
    More& m = more(record);
    SeenTag* const all = seen(record);
    for (const SeenTag& tag : rules.notes()) {
      if (tag.part == 0) ++m.made;
      if (tag.seen_by == 0) continue;
      if (m.seen == room_) m.seen = forget(all, m.seen);
      all[m.seen] = tag;
      all[m.seen++].move = m.made;
    }
    rules.clear_notes();
  }

  // Removes the tags of moves that are too old for every player who saw them. If all are needed, because moves have
  // more tags than `most_parts`, the oldest ones go. Returns the number that is left.
  std::uint32_t forget(SeenTag* all, std::uint32_t count) const {
    std::uint32_t moves[kMostViewers] = {};  // by player: later moves that the player saw a part of
    std::uint64_t open = ~std::uint64_t{0};  // players who need older moves
    std::uint32_t kept = count;              // the kept tags are moved to the end
    for (std::uint32_t last = count; last > 0;) {
      std::uint32_t first = last;
      std::uint64_t seen_by = 0;
      for (; first > 0 && all[first - 1].move == all[last - 1].move; --first) seen_by |= all[first - 1].seen_by;
      for (std::uint32_t k = last; k > first; --k) {
        if ((all[k - 1].seen_by & open) != 0) all[--kept] = all[k - 1];
      }
      for (std::uint32_t p = 0; p < shared_.players() && p < kMostViewers; ++p) {
        if ((seen_by >> p & 1U) != 0 && ++moves[p] == options_.history) open &= ~(std::uint64_t{1} << p);
      }
      last = first;
    }
    if (kept == 0) kept = std::max(count / 4, 1U);
    std::memmove(all, all + kept, (count - kept) * sizeof(SeenTag));
    return count - kept;
  }

  rgtrans_env_options options_;
  Shared shared_;
  std::vector<rgtrans_env_op> ops_;
  std::uint32_t words_ = 0;
  std::size_t more_at_ = 0, parts_at_ = 0, seen_at_ = 0, size_ = 0;
  std::size_t room_ = 0;            // tags of the history
  std::vector<std::byte> opening_;  // the record of a play at its begin, except for its random numbers
};

// The functions of env.h for given rules.
template <class Rules>
rgtrans_env functions_of() {
  using Engine = Core<Rules>;
  static const auto engine = [](const void* env) -> const Engine& { return *static_cast<const Engine*>(env); };
  static const auto rules = [](void* workspace) -> Rules& { return *static_cast<Rules*>(workspace); };
  static const auto plays = [](void* records) { return static_cast<std::byte*>(records); };
  static const auto given = [](const void* records) { return static_cast<const std::byte*>(records); };
  using Buffers = const rgtrans_env_buffers*;
  using Size = std::size_t;
  rgtrans_env result{};
  result.version = RGTRANS_ENV_VERSION;
  result.make = [](const rgtrans_env_options* options) -> void* { return new Engine(*options); };
  result.destroy = [](void* env) { delete static_cast<Engine*>(env); };
  result.record_size = [](const void* env) { return engine(env).record_size(); };
  result.new_workspace = [](const void* env) -> void* { return new Rules(engine(env).shared()); };
  result.delete_workspace = [](void* workspace) { delete static_cast<Rules*>(workspace); };
  result.prepare = [](const void* env, void* records, Size first, Size last) {
    engine(env).prepare(plays(records), first, last);
  };
  result.release = [](const void* env, void* records, Size first, Size last) {
    engine(env).release(plays(records), first, last);
  };
  result.reset = [](const void* env, void* workspace, void* records, Size first, Size last, Buffers buffers) {
    engine(env).reset(rules(workspace), plays(records), first, last, *buffers);
  };
  result.check = [](const void* env, const void* records, Size first, Size last, Buffers buffers) {
    return engine(env).check(given(records), first, last, *buffers);
  };
  result.step = [](const void* env, void* workspace, void* records, Size first, Size last, Buffers buffers) {
    engine(env).step(rules(workspace), plays(records), first, last, *buffers);
  };
  result.sample = [](const void* env, void* records, Size first, Size last, std::int32_t* actions) {
    engine(env).sample(plays(records), first, last, actions);
  };
  result.write = [](const void* env, void* workspace, const void* records, Size first, Size last, Buffers buffers) {
    engine(env).write(rules(workspace), given(records), first, last, *buffers);
  };
  return result;
}

}  // namespace rgtrans::env
