/* Hands a game what strangers may send: random tags and texts for moves, damaged saves. Linked to one generated game, with
 * sanitizers. strangers ATTEMPTS: prints the counts, or says what is wrong and ends with 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interface.h"

static uint64_t random_state = 1;
static uint32_t below(uint32_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((random_state >> 33) % n);
}
static void fail(const char* what) {
  printf("wrong: %s\n", what);
  exit(1);
}

static const rgtrans_reasoner* game;
static void *state, *before, *cache;

static void begin(void) {
  game->initial(state);
  while (!game->terminal(state) && game->mover(state) == game->players) {
    if (!game->apply_tags(state, cache, NULL, 0)) fail("the keeper is stuck");
  }
}

/* The text of a listed move. */
static void text_of(const uint32_t* tags, uint32_t count, char* text) {
  text[0] = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (i > 0) strcat(text, " ");
    strcat(text, game->tag_names[tags[i]]);
  }
}

static int is_listed(const uint32_t* tags, uint32_t count) {
  uint32_t* listed = malloc((game->most_tags + 1) * sizeof *listed);
  const size_t moves = game->list_moves(state, cache);
  int found = 0;
  for (size_t i = 0; i < moves && !found; ++i)
    found = game->move_tags(cache, i, listed) == count && memcmp(listed, tags, count * sizeof *tags) == 0;
  free(listed);
  return found;
}

/* A legal move of the state, mostly changed somewhere; otherwise any numbers. */
static uint32_t strange_tags(uint32_t* tags) {
  const size_t moves = game->list_moves(state, cache);
  uint32_t count = 0;
  if (moves > 0 && below(4) != 0) {
    count = game->move_tags(cache, below((uint32_t)moves), tags);
    if (count > 0 && below(3) != 0) tags[below(count)] = below(game->tags + 2);
    if (below(8) == 0) count = count > 0 ? count - 1 : 0;
    return count;
  }
  count = below(game->most_tags + 3);
  for (uint32_t i = 0; i < count; ++i) tags[i] = below(8) == 0 ? (uint32_t)(random_state >> 7) : below(game->tags + 1);
  return count;
}

static uint64_t try_move(char* text, uint32_t* tags) {
  const uint32_t count = strange_tags(tags);
  const int legal = count <= game->most_tags && is_listed(tags, count);
  memcpy(before, state, game->state_size);
  if (game->is_legal(state, cache, tags, count) != legal) fail("is_legal");
  int texted = count <= game->most_tags;
  for (uint32_t i = 0; i < count; ++i) texted = texted && tags[i] > 0 && tags[i] < game->tags;
  if (texted) {
    text_of(tags, count, text);
    if ((game->find_move(state, cache, text) != SIZE_MAX) != legal) fail("find_move");
    const size_t length = strlen(text);
    if (length > 0) text[below((uint32_t)length)] = (char)(1 + below(255));
    if (below(4) == 0) strcat(text, " ");
  } else {
    for (uint32_t i = 0; i < 20; ++i) text[i] = (char)below(256);
    text[20] = 0;
  }
  const size_t found = game->find_move(state, cache, text);
  if (found != SIZE_MAX) {
    char* again = text + strlen(text) + 1;
    const uint32_t tagged = game->move_tags(cache, found, tags + count);
    text_of(tags + count, tagged, again);
    if (strcmp(again, text) != 0) fail("find_move found another move");
  }
  if (memcmp(before, state, game->state_size) != 0) fail("a question changed the state");
  if (game->apply_checked(state, cache, tags, count) != legal) fail("apply_checked");
  if (!legal && memcmp(before, state, game->state_size) != 0) fail("a refused move changed the state");
  if (!game->valid(state)) fail("a checked move made an invalid state");
  return (uint64_t)legal;
}

static void go_on(void) {
  while (!game->terminal(state) && game->mover(state) == game->players) {
    if (!game->apply_tags(state, cache, NULL, 0)) fail("the keeper is stuck");
  }
  if (game->terminal(state)) begin();
}

static uint64_t try_saves(uint64_t attempts) {
  const size_t size = game->save_size;
  unsigned char *good = malloc(size), *bad = malloc(size + 8);
  uint64_t refused = 0;
  for (uint64_t i = 0; i < attempts; ++i) {
    game->save(state, good);
    memset(before, 0, game->state_size);
    if (!game->load(before, good, size) || memcmp(before, state, game->state_size) != 0) fail("a save is not loaded");
    memcpy(bad, good, size);
    size_t length = size;
    if (below(8) == 0) {
      length = below(2) == 0 ? below((uint32_t)size) : size + 1 + below(8);
    } else {
      for (uint32_t times = 1 + below(4); times > 0; --times) bad[below((uint32_t)size)] ^= (unsigned char)(1 + below(255));
      if (memcmp(bad, good, size) == 0) continue;
    }
    memcpy(before, state, game->state_size);
    if (game->load(state, bad, length)) fail("a damaged save is loaded");
    if (memcmp(before, state, game->state_size) != 0) fail("a damaged save changed the state");
    ++refused;
    if (!game->terminal(state) && game->random_move(state, cache, &random_state, NULL) >= 0) go_on();
  }
  free(good);
  free(bad);
  return refused;
}

int main(int count, char** arguments) {
  const uint64_t attempts = count > 1 ? strtoull(arguments[1], NULL, 10) : 1000;
  game = rgtrans_get_reasoner(RGTRANS_REASONER_VERSION);
  const size_t room = (game->state_size + game->state_alignment - 1) / game->state_alignment * game->state_alignment;
  state = aligned_alloc(game->state_alignment, room);
  before = aligned_alloc(game->state_alignment, room);
  cache = game->new_cache();
  size_t longest = 1;
  for (uint32_t t = 1; t < game->tags; ++t) longest = strlen(game->tag_names[t]) > longest ? strlen(game->tag_names[t]) : longest;
  char* text = malloc(2 * (game->most_tags + 4) * (longest + 1) + 64);
  uint32_t* tags = malloc(2 * (game->most_tags + 4) * sizeof *tags);
  uint64_t made = 0;
  begin();
  for (uint64_t i = 0; i < attempts; ++i) {
    made += try_move(text, tags);
    go_on();
  }
  begin();
  const uint64_t refused = try_saves(10000);
  begin();
  if (game->apply_listed(state, cache, 1000000) || game->move_tags(cache, 1000000, tags) ||
      game->score(state, game->players) != game->scores)
    fail("numbers that name nothing");
  rgtrans_playouts playouts = {0};
  game->playouts(state, 100, 0, 1, 0, &playouts);
  if (playouts.moves == 0 || playouts.stopped != 0) fail("playouts without a limit");
  printf("%s: %llu of %llu moves were legal, %llu damaged saves refused\n", game->game, (unsigned long long)made,
         (unsigned long long)attempts, (unsigned long long)refused);
  game->delete_cache(cache);
  free(state);
  free(before);
  free(text);
  free(tags);
  return 0;
}
