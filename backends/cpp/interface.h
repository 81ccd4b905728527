/* The C interface of a reasoner's shared library. A program asks for the version it knows; a library that does not
 * have it returns null. States are plain memory of state_size bytes at an address that is a multiple of state_alignment; they can
 * be copied bytewise. A cache belongs to one thread. */
#ifndef RGTRANS_REASONER_INTERFACE_H
#define RGTRANS_REASONER_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RGTRANS_REASONER_VERSION 6

typedef struct rgtrans_playouts {
  uint64_t count, moves, longest, shortest, choices, most_choices, stopped, stuck;
  double length_squares, seconds, processor_seconds;
  uint64_t* scores;     /* players x scores, given by the caller or null */
  uint64_t* wins;       /* players, given by the caller or null */
  const uint32_t* stop; /* given by the caller or null; another thread stores 1 there to end the playouts soon */
  int sample;           /* given by the caller: moves are drawn without listing them, where that can be */
} rgtrans_playouts;

typedef struct rgtrans_reasoner {
  uint32_t version;
  uint32_t state_size, state_alignment;
  uint32_t players, scores, tags, most_tags; /* tags are numbered from 1 */
  const char* game;
  const char* const* player_names;
  const char* const* score_names;
  const char* const* tag_names;

  void* (*new_cache)(void);
  void (*delete_cache)(void* cache);

  void (*initial)(void* state);
  /* No when some cell has no meaning; then the state must not be used. */
  int (*valid)(const void* state);
  int (*terminal)(const void* state);
  /* A player's number, or players for the keeper, players + 1 for random. */
  uint32_t (*mover)(const void* state);
  /* The number of a score; scores if there is no such player. */
  uint32_t (*score)(const void* state, uint32_t player);

  /* Lists the legal moves in the cache, where they stay until the next call with it. */
  size_t (*list_moves)(const void* state, void* cache);
  /* The tags of a listed move; room for most_tags is needed. Returns their number, 0 if there is no such move. */
  uint32_t (*move_tags)(const void* cache, size_t index, uint32_t* tags);
  /* Applies a move of the last list, which must be that of this state, or one given by its tags, which must be legal (see
   * apply_checked), or the keeper's only move. 0 when there is no such move; then the state is unchanged. */
  int (*apply_listed)(void* state, void* cache, size_t index);
  int (*apply_tags)(void* state, void* cache, const uint32_t* tags, uint32_t count);
  /* For each tag of the move listed at index, a bit for each player who sees it. */
  int (*visible_tags)(const void* state, void* cache, size_t index, uint64_t* seen_by);

  /* Text for people; writes at most size bytes with a final 0, returns the size that is needed. */
  size_t (*describe)(const void* state, char* text, size_t size);
  uint64_t (*perft)(const void* state, uint32_t depth);
  /* count 0: until so many seconds of processor time have passed. most_moves 0: no playout is ended early. */
  void (*playouts)(const void* state, uint64_t count, double seconds, uint64_t seed, uint64_t most_moves,
                   rgtrans_playouts* result);
  /* Steps many states at once: plays move choices[i] % (number of moves) in each state that is not over, after letting
   * the keeper move. */
  void (*step_batch)(void* states, size_t count, void* cache, const uint32_t* choices);

  /* Plays one of the legal moves, each as probable as the others, without listing them where that can be. *random is a
   * seed, and another one afterwards. Returns the number of its tags (room for most_tags is needed, or null), or -1
   * when there is no move; then the state is unchanged. */
  int (*random_move)(void* state, void* cache, uint64_t* random, uint32_t* tags);
  /* Counts the legal moves in the same manner, and tells them by their numbers, until the next call with this cache. */
  uint64_t (*count_moves)(const void* state, void* cache);
  uint32_t (*counted_tags)(const void* state, const void* cache, uint64_t number, uint32_t* tags);

  /* For moves from outside: any tags, any text. is_legal returns whether these are the tags of a legal move.
   * apply_checked makes it if it is legal; else it returns 0 and the state is unchanged. find_move lists the moves, as
   * list_moves does, and returns the index of the one with this text (its tags, separated by single spaces), or SIZE_MAX.
   * All three list the moves, so apply_listed and apply_tags are faster. */
  int (*is_legal)(const void* state, void* cache, const uint32_t* tags, uint32_t count);
  int (*apply_checked)(void* state, void* cache, const uint32_t* tags, uint32_t count);
  size_t (*find_move)(const void* state, void* cache, const char* text);

  /* Replaces a state by the one that represents its position: variables that nothing reads before it is assigned have a
   * fixed value there. canonical_hash and same_position work on these representatives; equal positions have the same
   * future, and equal hashes. */
  void (*canonical)(void* state);
  uint64_t (*canonical_hash)(const void* state);
  int (*same_position)(const void* a, const void* b);

  /* A state as save_size bytes, which name the game and the version of rgtrans and end with a checksum. load returns 0,
   * and the state is unchanged, unless save of the same game made these bytes. */
  size_t save_size;
  void (*save)(const void* state, void* bytes);
  int (*load)(void* state, const void* bytes, size_t size);

  /* A function that meets a limit returns as if there were no move, and leaves the state unchanged: keeper moves without end,
   * or a move of a game with moves of any length has more than most_tags tags. Returns the reason why the last call
   * of this thread did so, null if none has since take_error was called last. The text lasts until the next call. */
  const char* (*take_error)(void);
} rgtrans_reasoner;

/* Of a shared library, which all have this function, for programs that load it. */
const rgtrans_reasoner* rgtrans_get_reasoner(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif

#if RGTRANS_REASONER_VERSION != 6
#error "two games in one program were made by versions of rgtrans with different interfaces: generate both again"
#endif

#ifdef __cplusplus
extern "C" {
#endif
/* @GETTER@ */
#ifdef __cplusplus
}
#endif
