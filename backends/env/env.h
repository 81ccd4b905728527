/* The C interface of the batch engine in a reasoner's shared library: many plays in one block of memory. A program
 * requests the version it supports; a library without that version returns null. A record is the memory of one play. A
 * workspace belongs to one thread; threads work on different records in parallel. */
#ifndef RGTRANS_REASONER_ENV_H
#define RGTRANS_REASONER_ENV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RGTRANS_ENV_VERSION 2

/* Treatment of a finished play: none; restart in the same step; restart in the next step, which ignores its action. */
enum { RGTRANS_ENV_STAY = 0, RGTRANS_ENV_SAME_STEP = 1, RGTRANS_ENV_NEXT_STEP = 2 };

/* The layout of a state. A map is an array over the symbols of its keys. */
typedef struct rgtrans_env_universe {
  uint32_t size;
  const char* const* names;
} rgtrans_env_universe;
typedef struct rgtrans_env_variable {
  const char* name;
  uint32_t offset, width; /* bytes; the width of a cell */
  uint32_t keys;          /* number of keys */
  const uint32_t* key;    /* universes of the keys, outermost first */
  uint32_t leaf;          /* the universe of the cells */
  const uint8_t* alive;   /* by start of a move: the variable can affect the rest of the play */
} rgtrans_env_variable;

/* Writes `count` ones for the value of a cell, at distance `step`. */
typedef struct rgtrans_env_op {
  uint32_t offset, width; /* of the cell; width 0: the number of the mover */
  uint32_t values;
  uint32_t views;        /* 1, or one per viewer */
  const int32_t* places; /* views x values: offset from base, or -1 for none */
  uint32_t base, count, step;
  const uint8_t* alive; /* as in rgtrans_env_variable, or null */
} rgtrans_env_op;

typedef struct rgtrans_env_options {
  uint32_t factored;
  uint32_t actions;            /* number of actions */
  uint32_t most_parts;         /* maximum number of tags in a move */
  const uint32_t* move_starts; /* begin of each move's tags, and the end; unused in factored form */
  const uint32_t* move_tags;   /* as numbers of the library; UINT32_MAX for unknown tags */
  const uint32_t* tag_ranks;   /* by tag: its rank in the order of all tags; a factored action is the rank plus one */
  uint32_t tags;               /* number of ranks */
  const float* rewards;        /* by score */
  uint32_t reset_mode;
  uint32_t most_moves;    /* moves of a play before it is truncated; 0: no limit */
  uint32_t illegal_loses; /* an illegal action loses the play; otherwise the caller excludes it with check() */
  const rgtrans_env_op* ops;
  uint32_t op_count;
  uint32_t observation;       /* number of elements */
  uint32_t observation_float; /* float32; otherwise bytes */
  uint32_t history;           /* moves in an observation of seen moves; 0: the ops compute the observation */
} rgtrans_env_options;

/* Arrays by record; null for unwanted results. */
typedef struct rgtrans_env_buffers {
  const int32_t* actions;
  int32_t* drawn; /* not null: a step ignores `actions`, draws uniform legal ones and stores them here */
  const uint64_t* seeds;
  const uint8_t* chosen; /* records to process; null: all. The arrays of others are unchanged */
  uint8_t* mask;         /* records x actions */
  uint64_t* mask_bits;   /* records x words */
  float* rewards;        /* records x players */
  uint8_t* terminated;
  uint8_t* truncated;
  int32_t* player; /* the mover, or -1 if the play is over */
  void* observation;
  int32_t viewer; /* the observing player, or -1 for the mover */
  int32_t stay;   /* never restart finished plays, in any mode */
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

  /* All functions process the records first <= i < last of the block. Call prepare() first. */
  void (*prepare)(const void* env, void* records, size_t first, size_t last);
  void (*release)(const void* env, void* records, size_t first, size_t last);
  void (*reset)(const void* env, void* workspace, void* records, size_t first, size_t last,
                const rgtrans_env_buffers* buffers);
  /* The first record with an illegal action, or last. */
  size_t (*check)(const void* env, const void* records, size_t first, size_t last, const rgtrans_env_buffers* buffers);
  void (*step)(const void* env, void* workspace, void* records, size_t first, size_t last,
               const rgtrans_env_buffers* buffers);
  /* Draws uniform legal actions; 0 for a finished play. */
  void (*sample)(const void* env, void* records, size_t first, size_t last, int32_t* actions);
  /* Fills the arrays for the current states. */
  void (*write)(const void* env, void* workspace, const void* records, size_t first, size_t last,
                const rgtrans_env_buffers* buffers);
} rgtrans_env;

const rgtrans_env* rgtrans_get_env(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif
