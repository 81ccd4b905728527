/* The C interface of the tree search that a reasoner's shared library can bring. A program asks for the version it
 * knows; a library that does not have it returns null. What a report points to belongs to the search and lasts until its
 * next run. */
#ifndef RGTRANS_REASONER_SEARCH_H
#define RGTRANS_REASONER_SEARCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RGTRANS_SEARCH_VERSION 3

typedef struct rgtrans_search_options {
  double exploration, first_play, rave, mast, minimax;
  int proofs;
  uint32_t wins, most_moves;
  uint64_t memory, seed;
} rgtrans_search_options;

typedef struct rgtrans_root_move {
  uint64_t visits;
  double value;
  int proven;
} rgtrans_root_move;

typedef struct rgtrans_search_report {
  uint64_t simulations, nodes, longest;
  double seconds;
  int proven;
  const double* values; /* by player */
  const rgtrans_root_move* moves;
  size_t move_count;
  const uint32_t* line;
  size_t line_length;
  const char* error; /* or null */
} rgtrans_search_report;

typedef struct rgtrans_search {
  uint32_t version;
  void* (*make)(const rgtrans_search_options* options);
  void (*destroy)(void* search);
  /* Searches below a state that is not over and in which the keeper is not to move; 0 is no limit. */
  void (*run)(void* search, const void* state, uint64_t simulations, double seconds, uint32_t threads,
              rgtrans_search_report* report);
  void (*stop)(void* search);
} rgtrans_search;

const rgtrans_search* rgtrans_get_search(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif
