/* The same two games in C: perft, and random playouts without a limit on their length. */
#include <stdio.h>
#include <stdlib.h>

#include "kuhn_poker/interface.h"
#include "nim/interface.h"

static void show(const rgtrans_reasoner* game) {
  const size_t align = game->state_alignment;
  void* state = aligned_alloc(align, (game->state_size + align - 1) / align * align);
  game->initial(state);
  rgtrans_playouts result = {0};
  game->playouts(state, 1000, 0, 1, 0, &result);
  printf("%s: perft(3) = %llu, %llu playouts, longest %llu\n", game->game, (unsigned long long)game->perft(state, 3),
         (unsigned long long)result.count, (unsigned long long)result.longest);
  free(state);
}

int main(void) {
  show(nim_get_reasoner(RGTRANS_REASONER_VERSION));
  show(kuhn_poker_get_reasoner(RGTRANS_REASONER_VERSION));
  return 0;
}
