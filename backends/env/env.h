/* The C interface of the batch engine that a reasoner's shared library can bring: many plays in one block of memory. A
 * program asks for the version it knows; a library that does not have it returns null. A record is the memory of one
 * play. A workspace belongs to one thread; threads work on different records at the same time. */
#ifndef RGTRANS_REASONER_ENV_H
#define RGTRANS_REASONER_ENV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RGTRANS_ENV_VERSION 2

/* What happens with a play that is over: nothing; it begins anew in the same step; it begins anew in the next step, whose
 * action counts for nothing. */
enum { RGTRANS_ENV_STAY = 0, RGTRANS_ENV_SAME_STEP = 1, RGTRANS_ENV_NEXT_STEP = 2 };

/* How a state is stored: a map is an array over the symbols of its keys. */
typedef struct rgtrans_env_universe {
  uint32_t size;
  const char* const* names;
} rgtrans_env_universe;
typedef struct rgtrans_env_variable {
  const char* name;
  uint32_t offset, width; /* bytes; of a cell */
  uint32_t keys;          /* how many */
  const uint32_t* key;    /* universes, the first one outermost */
  uint32_t leaf;          /* the universe of the cells */
  const uint8_t* alive;   /* by the number of the place in the rules where a move begins: it matters what it holds */
} rgtrans_env_variable;

/* Writes `count` ones for what a cell holds, `step` apart. */
typedef struct rgtrans_env_op {
  uint32_t offset, width; /* of the cell; width 0: the number of the one who moves */
  uint32_t values;
  uint32_t views;        /* 1, or one for each player who looks */
  const int32_t* places; /* views x values: behind base, or -1 for nothing */
  uint32_t base, count, step;
  const uint8_t* alive; /* as above, or null */
} rgtrans_env_op;

typedef struct rgtrans_env_options {
  uint32_t factored;
  uint32_t actions;            /* numbers of actions */
  uint32_t most_parts;         /* tags of a move, at most */
  const uint32_t* move_starts; /* where the tags of each move begin, and their end; not in the factored form */
  const uint32_t* move_tags;   /* as the library numbers them; UINT32_MAX for one that it does not know */
  const uint32_t* tag_ranks;   /* by tag: its place in the order of all tags; in the factored form the action is one more */
  uint32_t tags;               /* how many there are in that order */
  const float* rewards;        /* by score */
  uint32_t reset_mode, most_moves;
  uint32_t illegal_loses; /* an illegal action loses the play; else it has been looked for with check() */
  const rgtrans_env_op* ops;
  uint32_t op_count;
  uint32_t observation;       /* elements of one */
  uint32_t observation_float; /* float32, else bytes */
  uint32_t history;           /* moves in an observation of what a player has seen; 0: the ops make the observation */
} rgtrans_env_options;

/* Arrays for all records, by record; null where nothing is wanted. */
typedef struct rgtrans_env_buffers {
  const int32_t* actions;
  int32_t* drawn; /* instead of actions: a step draws uniform legal ones and tells them here; null: it does not */
  const uint64_t* seeds;
  const uint8_t* chosen; /* records to work on; null: all. The arrays of others stay as they are */
  uint8_t* mask;         /* records x actions */
  uint64_t* mask_bits;   /* records x words */
  float* rewards;        /* records x players */
  uint8_t* terminated;
  uint8_t* truncated;
  int32_t* player; /* who moves, or -1 when the play is over */
  void* observation;
  int32_t viewer; /* the player who observes, or -1 for the one who moves */
  int32_t stay;   /* plays that are over are left so, whatever the mode */
} rgtrans_env_buffers;

typedef struct rgtrans_env {
  uint32_t version;
  uint32_t universe_count, variable_count;
  const rgtrans_env_universe* universes;
  const rgtrans_env_variable* variables;
  uint32_t tags, scores; /* tags are numbered from 1 */
  const char* const* tag_names;
  const char* const* score_names;

  void* (*make)(const rgtrans_env_options* options);
  void (*destroy)(void* env);
  size_t (*record_size)(const void* env);
  void* (*new_workspace)(const void* env);
  void (*delete_workspace)(void* workspace);

  /* All work on the records first <= i < last of the block. Records are prepared before anything else. */
  void (*prepare)(const void* env, void* records, size_t first, size_t last);
  void (*release)(const void* env, void* records, size_t first, size_t last);
  void (*reset)(const void* env, void* workspace, void* records, size_t first, size_t last,
                const rgtrans_env_buffers* buffers);
  /* The first record whose action cannot be made, or last. */
  size_t (*check)(const void* env, const void* records, size_t first, size_t last, const rgtrans_env_buffers* buffers);
  void (*step)(const void* env, void* workspace, void* records, size_t first, size_t last,
               const rgtrans_env_buffers* buffers);
  /* Uniform legal actions; 0 for a play that is over. */
  void (*sample)(const void* env, void* records, size_t first, size_t last, int32_t* actions);
  /* Fills the arrays for the present states. */
  void (*write)(const void* env, void* workspace, const void* records, size_t first, size_t last,
                const rgtrans_env_buffers* buffers);
} rgtrans_env;

const rgtrans_env* rgtrans_get_env(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif
