/* The C interface of a game on a device: plays at random, and batches of plays that are stepped at once. A library made
 * by nvcc works on a GPU; the host twin, of the same text, on the processor. Functions that can fail return 0 or false
 * and write why, as text, to `message`; a step returns -1 where an action is not legal. How states are stored and
 * become tensors is said in env.h. */
#ifndef RGTRANS_DEVICE_INTERFACE_H
#define RGTRANS_DEVICE_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

#include "backends/env/env.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RGTRANS_DEVICE_VERSION 3

/* How a play ended. */
enum { RGTRANS_PLAY_FINISHED, RGTRANS_PLAY_STUCK, RGTRANS_PLAY_STOPPED, RGTRANS_PLAY_LACKED, RGTRANS_PLAY_GOES_ON };
/* What a play lacked: some room of fixed size was too small. */
enum {
  RGTRANS_LACK_NONE,
  RGTRANS_LACK_DEPTH,
  RGTRANS_LACK_KEYS,
  RGTRANS_LACK_MOVES,
  RGTRANS_LACK_TAGS,
  RGTRANS_LACK_WORK
};

typedef struct rgtrans_device_text {
  char* text;
  size_t size;
} rgtrans_device_text;

/* One play. */
typedef struct rgtrans_device_play {
  uint32_t moves; /* of players, random not counted */
  uint32_t end;
} rgtrans_device_play;

typedef struct rgtrans_device_plays {
  uint64_t count, moves, longest, shortest, choices, most_choices, length_squares;
  uint64_t ends[4];          /* by RGTRANS_PLAY_… */
  uint64_t lacks[6];         /* by RGTRANS_LACK_… */
  double seconds;            /* of the device, nothing copied */
  uint64_t* scores;          /* players x scores, given by the caller: finished plays */
  uint64_t* wins;            /* players, given by the caller */
  rgtrans_device_play* each; /* one a play, given by the caller or null */
  uint16_t* each_score;      /* players for each play, given by the caller or null */
} rgtrans_device_plays;

typedef struct rgtrans_device_actions {
  uint32_t count;
  const uint32_t* lengths; /* of each action: tags */
  const uint32_t* tags;    /* of all actions, one after the other */
} rgtrans_device_actions;

/* Arrays of a batch, in the memory of the device. */
typedef struct rgtrans_device_arrays {
  int32_t* actions;    /* lanes: what the next step plays */
  uint8_t* masks;      /* lanes x actions: legal ones */
  float* rewards;      /* lanes x players */
  uint8_t* terminated; /* lanes */
  uint8_t* truncated;  /* lanes */
  int32_t* players;    /* lanes: who is to move, or -1 when the play is over */
  uint32_t* choices;   /* lanes: legal moves */
  uint32_t* lacks;     /* lanes: RGTRANS_LACK_… */
  void* observations;  /* lanes x elements, or null: nothing is shown */
} rgtrans_device_arrays;

/* How states become tensors. Tables and marks of the ops are parts of two arrays. */
typedef struct rgtrans_device_shown {
  const rgtrans_env_op* ops;
  const int32_t* places;
  const uint8_t* alive;
  size_t place_count, alive_count;
  uint32_t op_count, elements;
  int floats; /* else bytes */
} rgtrans_device_shown;

typedef struct rgtrans_device {
  uint32_t version;
  uint32_t state_size, lane_size;            /* bytes of a state; of the working memory of a thread */
  uint32_t players, scores, tags, most_tags; /* tags are numbered from 1 */
  const char* game;
  const char* const* player_names;
  const char* const* score_names;
  const char* const* tag_names;
  int packed; /* actions can have numbers */
  uint32_t universe_count, variable_count;
  const rgtrans_env_universe* universes;
  const rgtrans_env_variable* variables;
  uint32_t places; /* of the rules, for which variables say whether they are alive */

  /* Whether the device is there and new enough. */
  int (*ready)(int device, rgtrans_device_text message);
  /* Plays number first, first + 1, …: equal seeds and numbers give equal plays, everywhere. */
  int (*playouts)(int device, uint64_t first, uint64_t count, uint64_t seed, uint64_t most_moves,
                  rgtrans_device_plays* result, rgtrans_device_text message);

  /* A batch of plays. `scores` are the rewards of each score. Without actions a step takes numbers of moves, as they
   * are found. */
  void* (*open)(int device, uint32_t lanes, uint64_t seed, uint32_t most_moves, const float* scores,
                const rgtrans_device_actions* actions, rgtrans_device_text message);
  void (*close)(void* batch);
  int (*arrays)(void* batch, rgtrans_device_arrays* arrays);
  /* All plays begin anew, with other random numbers each time. */
  int (*reset)(void* batch, uint64_t seed, rgtrans_device_text message);
  /* Each play makes the move of its action; plays that are over begin anew instead. `how`: 0 the actions' numbers,
   * 1 the numbers of the moves, 2 moves drawn uniformly. */
  int (*step)(void* batch, int how, rgtrans_device_text message);
  /* So many steps with moves drawn uniformly, one after the other. `moves` are those that were made, `seconds` those of
   * the device; both may be null. */
  int (*random_steps)(void* batch, uint32_t steps, uint64_t* moves, double* seconds, rgtrans_device_text message);
  /* Draws uniform legal actions into the array of actions. */
  int (*sample)(void* batch, rgtrans_device_text message);
  /* From now on each step, and each reset, writes observations of those who move; arrays() has them. */
  int (*show)(void* batch, const rgtrans_device_shown* shown, rgtrans_device_text message);
  /* Writes what a player observes, whoever is to move; -1: the one who moves. */
  int (*observe)(void* batch, int32_t viewer, rgtrans_device_text message);
  /* Copies an array of the batch to the host's memory, after all that was asked for before. */
  int (*fetch)(void* batch, void* to, const void* from, size_t size, rgtrans_device_text message);
  int (*store)(void* batch, void* to, const void* from, size_t size, rgtrans_device_text message);
} rgtrans_device;

const rgtrans_device* rgtrans_get_device(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif
