/* The C interface of a game on a device: random plays, and batches of plays that are stepped together. A library
 * compiled by nvcc runs on a GPU; the host twin, compiled from the same text, runs on the processor. Functions that can
 * fail return 0 or false and write the reason to `message`; a step returns -1 if an action is illegal. env.h defines
 * the layout of states and their conversion to tensors. */
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
/* The fixed-size memory that was too small for a play. */
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
  uint32_t moves; /* moves of players, excluding random */
  uint32_t end;
} rgtrans_device_play;

typedef struct rgtrans_device_plays {
  uint64_t count, moves, longest, shortest, choices, most_choices, length_squares;
  uint64_t ends[4];          /* by RGTRANS_PLAY_… */
  uint64_t lacks[6];         /* by RGTRANS_LACK_… */
  double seconds;            /* device time, excluding copies */
  uint64_t* scores;          /* players x scores, allocated by the caller: finished plays */
  uint64_t* wins;            /* by player, allocated by the caller */
  rgtrans_device_play* each; /* one per play, allocated by the caller, or null */
  uint16_t* each_score;      /* plays x players, allocated by the caller, or null */
} rgtrans_device_plays;

typedef struct rgtrans_device_actions {
  uint32_t count;
  const uint32_t* lengths; /* by action: number of tags */
  const uint32_t* tags;    /* of all actions, concatenated */
} rgtrans_device_actions;

/* Arrays of a batch in device memory. */
typedef struct rgtrans_device_arrays {
  int32_t* actions;    /* lanes: the actions of the next step */
  uint8_t* masks;      /* lanes x actions: legal ones */
  float* rewards;      /* lanes x players */
  uint8_t* terminated; /* lanes */
  uint8_t* truncated;  /* lanes */
  int32_t* players;    /* lanes: the mover, or -1 if the play is over */
  uint32_t* choices;   /* lanes: number of legal moves */
  uint32_t* lacks;     /* lanes: RGTRANS_LACK_… */
  void* observations;  /* lanes x elements, or null without observations */
} rgtrans_device_arrays;

/* The conversion of states to tensors. The tables and marks of the ops are parts of two arrays. */
typedef struct rgtrans_device_shown {
  const rgtrans_env_op* ops;
  const int32_t* places;
  const uint8_t* alive;
  size_t place_count, alive_count;
  uint32_t op_count, elements;
  int floats; /* otherwise bytes */
} rgtrans_device_shown;

typedef struct rgtrans_device {
  uint32_t version;
  uint32_t state_size, lane_size;            /* bytes of a state; bytes of a thread's working memory */
  uint32_t players, scores, tags, most_tags; /* tags are numbered from 1 */
  const char* game;
  const char* const* player_names;
  const char* const* score_names;
  const char* const* tag_names;
  int packed; /* actions can be numbered */
  uint32_t universe_count, variable_count;
  const rgtrans_env_universe* universes;
  const rgtrans_env_variable* variables;
  uint32_t places; /* number of places in the rules, for the `alive` arrays of variables */

  /* Whether the device exists and is new enough. */
  int (*ready)(int device, rgtrans_device_text message);
  /* Plays with the numbers first, first + 1, …: equal seeds and numbers give equal plays on every device. */
  int (*playouts)(int device, uint64_t first, uint64_t count, uint64_t seed, uint64_t most_moves,
                  rgtrans_device_plays* result, rgtrans_device_text message);

  /* Opens a batch of plays. `scores` are the rewards of each score. Without actions, a step takes indices of legal
   * moves in the device's order. */
  void* (*open)(int device, uint32_t lanes, uint64_t seed, uint32_t most_moves, const float* scores,
                const rgtrans_device_actions* actions, rgtrans_device_text message);
  void (*close)(void* batch);
  int (*arrays)(void* batch, rgtrans_device_arrays* arrays);
  /* Restarts all plays, with new random numbers each time. */
  int (*reset)(void* batch, uint64_t seed, rgtrans_device_text message);
  /* Makes the move of each play's action; finished plays restart instead. `how`: 0 numbers of actions, 1 indices of
   * moves, 2 uniformly random moves. */
  int (*step)(void* batch, int how, rgtrans_device_text message);
  /* Makes `steps` steps with uniformly random moves. Returns the number of moves and the device time; both pointers may
   * be null. */
  int (*random_steps)(void* batch, uint32_t steps, uint64_t* moves, double* seconds, rgtrans_device_text message);
  /* Draws uniform legal actions into the array of actions. */
  int (*sample)(void* batch, rgtrans_device_text message);
  /* From now on, each step and each reset writes observations of the movers; arrays() returns them. */
  int (*show)(void* batch, const rgtrans_device_shown* shown, rgtrans_device_text message);
  /* Writes the observations of one player, independent of the mover; -1: the mover. */
  int (*observe)(void* batch, int32_t viewer, rgtrans_device_text message);
  /* Copies an array of the batch to host memory, after all preceding operations. */
  int (*fetch)(void* batch, void* to, const void* from, size_t size, rgtrans_device_text message);
  int (*store)(void* batch, void* to, const void* from, size_t size, rgtrans_device_text message);
} rgtrans_device;

const rgtrans_device* rgtrans_get_device(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif
