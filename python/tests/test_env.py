"""Batches of plays: the same as single plays, errors that say what is wrong, and the forms of other libraries."""

import importlib.util
import os
import random
import time
from pathlib import Path

import pytest

import rgtrans

numpy = pytest.importorskip("numpy")

GAMES = Path(__file__).resolve().parents[2] / "games"
FULL = "RGTRANS_FULL" in os.environ
FEW = ["hrg/tic-tac-toe.hrg", "gdl/connect-four.kif", "hrg/kuhn-poker.hrg", "hrg/english-draughts.hrg", "rbg/breakthrough.rbg"]


def load(name):
    return rgtrans.load(GAMES / name)


@pytest.fixture(scope="module")
def ttt():
    return load("hrg/tic-tac-toe.hrg")


def make(game, count, **options):
    return rgtrans.env.VectorEnv(game, count, engine="interpreter", **{"jobs": 1, **options})


@pytest.mark.parametrize("name", FEW)
def test_plays_are_those_of_states(name):
    """Whatever the players choose, masks, movers and rewards are those of single states."""
    game = load(name)
    envs = make(game, 4, reset_mode="stay")
    space = envs.actions
    chance = rgtrans.ActionSpace(game, random=True)
    envs.reset(seed=5)
    if chance.size:
        pytest.skip("chance is drawn by the environment")
    states = [game.new_state() for _ in range(4)]
    given = [[] for _ in range(4)]
    scores = game.scores()
    for _ in range(2000):
        for i, state in enumerate(states):
            legal = {} if state.is_terminal() else space.legal(state, given[i])
            assert set(numpy.flatnonzero(envs.mask[i])) == set(legal)
            assert envs.player[i] == (-1 if state.is_terminal() else game.players.index(state.current_player))
        playing = envs.player >= 0
        if not playing.any():
            break
        actions = envs.sample()
        for i in numpy.flatnonzero(playing):
            index = space.legal(states[i], given[i])[int(actions[i])]
            if index is None:
                given[i].append(int(actions[i]))
            else:
                given[i] = []
                states[i].apply(index)
        envs.step(actions, which=playing)
        for i in numpy.flatnonzero(playing):
            assert envs.terminated[i] == states[i].is_terminal()
            if states[i].is_terminal():
                expected = [2 * (r - min(scores)) / (max(scores) - min(scores)) - 1 for r in states[i].returns()]
                assert list(envs.rewards[i]) == pytest.approx(expected)
    assert not (envs.player >= 0).any()


def cells_of(envs):
    return envs._plays.core.cells


def decoded(envs, tensor):
    """The cells that planes show, named as a state names them; the one to move is the cell without a name."""
    area = tensor.shape[1] * tensor.shape[2]
    flat = tensor.reshape(len(tensor), area)
    found = {}
    for variable, keys, values, planes, _, place, _, packed in cells_of(envs):
        if packed:
            held = [v for i, v in enumerate(values) if flat[planes[i] + i // area, i % area]]
        else:
            held = [v for i, v in enumerate(values) if flat[planes[i], place]]
        assert len(held) <= 1, f"{variable} {keys} holds {held}"
        found[" ".join([variable, *keys])] = held[0] if held else None
    return found


def shows(envs, tensor, state):
    """Whether a tensor of planes decodes to the cells of a state, where no value is one that does not matter."""
    found = decoded(envs, tensor)
    cells = state._core.cells()
    return found.pop("") == state.current_player and all(value == cells.get(name) for name, value in found.items())


@pytest.mark.parametrize("name", ["hrg/tic-tac-toe.hrg", "hrg/breakthrough.hrg", "hrg/hex.hrg", "ludax/connect-four.ldx"])
def test_planes_are_the_board(name):
    """Tensors decode back to the cells of the state."""
    game = load(name)
    observer = rgtrans.env.Observer(game)
    generator = random.Random(3)
    for _ in range(3):
        state = game.optimize().new_state()
        while not state.is_terminal():
            assert shows(observer._env, observer.tensor(state, 0), state)
            state.apply(generator.randrange(state.move_count))


def test_batches_and_single_states_give_the_same_tensors(ttt):
    envs = make(ttt, 1, reset_mode="stay", relative=True)
    observer = rgtrans.env.Observer(ttt, relative=True)
    state = ttt.new_state()
    envs.reset(seed=1)
    while not state.is_terminal():
        for player in (0, 1):
            assert (envs.observe(player)[0] == observer.tensor(state, player)).all()
        action = envs.sample()
        state.apply(envs.actions.text(int(action[0])))
        envs.step(action)


def test_observers_take_states_of_batches():
    game = load("hrg/english-draughts.hrg")
    envs = make(game, 3)
    envs.reset(seed=1)
    for _ in range(4):
        envs.step(envs.sample())
    # The batch plays the optimized game, as the observer does.
    observer = rgtrans.env.Observer(game)
    for play in range(3):
        assert (observer.tensor(envs.state(play), int(envs.player[play])) == envs.observations[play]).all()


def test_observers_refuse_states_that_they_cannot_play_again():
    game = load("gdl/connect-four.kif")
    text = rgtrans.load(game.to("rg"), "rg")
    other = make(text.optimize(1), 1)
    other.reset(seed=1)
    other.step(other.sample())
    assert other.state(0).game != text.optimize()
    with pytest.raises(rgtrans.UsageError):
        rgtrans.env.Observer(text).tensor(other.state(0), 0)
    # Its moves are numbered in another order, and named otherwise.
    with pytest.raises(rgtrans.ArgumentError):
        rgtrans.env.Observer(game).tensor(game.new_state("rules").apply(0), 0)
    poker = make(load("hrg/kuhn-poker.hrg"), 1)
    poker.reset(seed=1)
    with pytest.raises(rgtrans.UsageError):
        rgtrans.env.Observer(load("hrg/kuhn-poker.hrg")).tensor(poker.state(0), 0)


def test_relative_planes_show_the_own_pieces_first(ttt):
    envs = make(ttt, 1, relative=True)
    assert "board=me" in envs.observation_spec.planes
    envs.reset(seed=1)
    envs.step([4])
    mine = envs.observation_spec.planes.index("board=me")
    assert envs.observe(0)[0, mine].sum() == 1 and envs.observe(1)[0, mine].sum() == 0


def test_hidden_moves_stay_hidden():
    game = load("hrg/kuhn-poker.hrg")
    envs = make(game, 64, reset_mode="stay")
    assert envs.observation_spec.form == "moves"
    envs.reset(seed=1)
    first = {bytes(row.tobytes()) for row in envs.observe(0)}
    second = {bytes(row.tobytes()) for row in envs.observe(1)}
    assert 1 < len(first) <= 3 and 1 < len(second) <= 3  # one's own card is all that is known


def test_single_states_with_hidden_moves():
    game = load("hrg/kuhn-poker.hrg")
    observer = rgtrans.env.Observer(game)
    state = game.new_state().apply("D__jack_king").apply("check")
    mine, theirs = (observer.tensor(state, player) for player in (0, 1))
    assert (mine != theirs).sum() == 2 and mine[:2].sum() == 4  # the mover and the move: the check, then the own card


def test_layouts_and_dtypes(ttt):
    a, b = make(ttt, 3), make(ttt, 3, layout="NHWC", dtype="bool")
    for envs in (a, b):
        envs.reset(seed=2)
        envs.step([0, 4, 8])
    assert b.observations.dtype == bool and a.observation_spec.shape == (5, 3, 3)
    assert (b.observations.transpose(0, 3, 1, 2) == a.observations.astype(bool)).all()


def test_masks_can_be_bits():
    envs = make(load("hrg/breakthrough.hrg"), 5, mask_bits=True)
    envs.reset(seed=1)
    for _ in range(20):
        bits = numpy.unpackbits(envs.mask_bits.view(numpy.uint8), axis=1, bitorder="little")
        assert envs.mask_bits.shape == (5, -(-envs.num_actions // 64))
        assert (bits[:, : envs.num_actions] == envs.mask).all() and not bits[:, envs.num_actions :].any()
        envs.step(envs.sample())


def test_reset_modes(ttt):
    for mode in ("stay", "same_step", "next_step"):
        envs = make(ttt, 2, reset_mode=mode)
        envs.reset(seed=1)
        for cell in (0, 3, 1, 4):
            envs.step([cell, cell])
        envs.step([2, 8])
        assert list(envs.terminated) == [True, False] and list(envs.rewards[0]) == [1, -1]
        assert envs.player[0] == (0 if mode == "same_step" else -1)
        if mode == "stay":
            with pytest.raises(rgtrans.Error, match="environment 0: the play is over"):
                envs.step([0, 2])
        elif mode == "next_step":
            envs.step([7, 5])
            assert envs.player[0] == 0 and envs.mask[0].all() and not envs.terminated[0]
    envs.reset(which=[True, False])


def test_equal_seeds_give_equal_plays_whatever_the_jobs():
    game = load("hrg/backgammon.hrg")
    results = []
    for jobs in (1, 2, 3):
        envs = make(game, 7, jobs=jobs)
        envs.reset(seed=11)
        trace = []
        for _ in range(60):
            envs.step(envs.sample())
            trace.append((envs.mask.copy(), envs.player.copy(), envs.observations.copy()))
        results.append(trace)
    for other in results[1:]:
        assert all((x == y).all() for a, b in zip(results[0], other) for x, y in zip(a, b))


def test_plays_can_be_cut_off(ttt):
    envs = make(ttt, 1, max_moves=2, reset_mode="stay")
    envs.reset(seed=1)
    envs.step([0])
    envs.step([1])
    assert envs.truncated[0] and not envs.terminated[0] and not envs.rewards.any()


def test_an_illegal_action_can_lose(ttt):
    envs = make(ttt, 2, illegal="loss", reset_mode="stay")
    envs.reset(seed=1)
    envs.step([0, 0])
    envs.step([0, 1])
    assert list(envs.terminated) == [True, False] and list(envs.rewards[0]) == [1, -1]
    envs.step([3, 2])  # a play that is over stays so
    assert not envs.rewards.any()


def test_wrong_arguments(ttt):
    envs = make(ttt, 2)
    envs.reset(seed=1)
    error = rgtrans.ArgumentError
    with pytest.raises(error, match=r"the shape \(2,\), not \(3,\)"):
        envs.step([0, 1, 2])
    with pytest.raises(TypeError, match="must be integers, not float64"):
        envs.step(numpy.zeros(2))
    for bad in (9, -1, 2**31 - 1):
        with pytest.raises(rgtrans.Error, match=f"environment 1: action {bad} is not legal"):
            envs.step([0, bad])
    assert envs.mask.all()  # nothing was done
    with pytest.raises(error, match="32 bits"):
        envs.step([0, 2**40])
    with pytest.raises(error, match="there is no engine 'tpu'; allowed: interpreter, cpp, cuda"):
        rgtrans.env.VectorEnv(ttt, 2, engine="tpu")
    with pytest.raises(error, match="dtype cannot be 'int8'; allowed: float32, bool"):
        make(ttt, 2, dtype="int8")
    with pytest.raises(error, match="count cannot be 0"):
        make(ttt, 0)
    with pytest.raises(error, match="reset_mode cannot be"):
        make(ttt, 2, reset_mode="never")
    with pytest.raises(ValueError, match="chosen must have 2 elements"):
        envs.reset(which=[True])
    with pytest.raises(ValueError, match="out must|observation must have"):
        envs.observe(0, numpy.zeros(3, numpy.float32))
    with pytest.raises(error, match="player cannot be 2"):
        envs.observe(2)
    for name in ("hrg/amazons.hrg", "hrg/tic-tac-toe.hrg"):  # the record of a play is large, or the data outside of it
        with pytest.raises((error, rgtrans.Error), match="make fewer"):
            make(load(name), 10_000_000)
    with pytest.raises(TypeError, match="game must be"):
        make("tic-tac-toe", 2)


def test_dlpack_shares_memory(ttt):
    torch = pytest.importorskip("torch")
    envs = make(ttt, 2)
    tensor = torch.from_dlpack(envs.observations)
    envs.reset(seed=1)
    envs.step([4, 4])
    assert (tensor.numpy() == envs.observations).all() and tensor.sum() > 0


def test_dlpack_shares_truth_values_as_bytes(ttt):
    """As docs/environments.md says, since older versions of NumPy refuse bool."""
    envs = make(ttt, 2)
    masks = [numpy.from_dlpack(envs.mask.view("uint8")).view(bool)]
    if importlib.util.find_spec("torch"):
        import torch

        masks.append(torch.from_dlpack(envs.mask.view("uint8")).view(torch.bool))
    envs.reset(seed=1)
    envs.step([4, 4])
    for mask in masks:
        assert numpy.asarray(mask).tolist() == envs.mask.tolist() and mask.sum() == 16


# --- Other libraries. ---


def test_gymnasium_form(ttt):
    env = rgtrans.env.GymnasiumVectorEnv(ttt, 16, engine="interpreter", jobs=1)
    mode = env.metadata["autoreset_mode"]
    assert getattr(mode, "value", mode) == "NextStep"
    generator = numpy.random.default_rng(1)
    observation, _ = env.reset(seed=1)
    ends = 0
    for _ in range(60):
        mask = observation["action_mask"]
        assert mask.shape == (16, 9) and observation["observation"].shape[0] == 16
        actions = [generator.choice(numpy.flatnonzero(row)) if row.any() else 0 for row in mask]
        observation, rewards, terminated, truncated, _ = env.step(numpy.array(actions))
        assert rewards.shape == (16,) and not rewards[~terminated].any() and not truncated.any()
        ends += terminated.sum()
    assert ends > 50


def test_aec_form(ttt):
    env = rgtrans.aec.AECEnv(ttt, engine="interpreter")
    generator = random.Random(1)
    results = set()
    for seed in range(20):
        env.reset(seed=seed)
        total = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            total[agent] += reward
            legal = numpy.flatnonzero(observation["action_mask"])
            env.step(None if termination or truncation else int(generator.choice(list(legal))))
        assert env.agents == [] and sum(total.values()) == 0
        results.add(total["cross"])
    assert results >= {1.0, -1.0}


def test_parallel_form(ttt):
    env = rgtrans.env.ParallelEnv(ttt, engine="interpreter")
    observations, _ = env.reset(seed=1)
    while env.agents:
        actions = {a: int(o["action_mask"].argmax()) for a, o in observations.items()}
        observations, rewards, terminations, truncations, _ = env.step(actions)
    assert all(terminations.values()) and sum(rewards.values()) == 0
    with pytest.raises(rgtrans.ArgumentError, match="the play is over"):
        env.step({"cross": 0})


def test_spiel_tensors(ttt):
    game = rgtrans.open_spiel.SpielGame(ttt)
    state = game.new_initial_state()
    assert len(state.observation_tensor(0)) == numpy.prod(game.observation_tensor_shape())
    before = state.observation_tensor()
    state.apply_action(4)
    assert state.observation_tensor() != before


def test_spiel_with_factored_moves():
    game = rgtrans.open_spiel.SpielGame(load("hrg/english-draughts.hrg"))
    assert game.actions.factored
    generator = random.Random(1)
    state = game.new_initial_state()
    for _ in range(40):
        if state.is_terminal():
            break
        state.apply_action(generator.choice(state.legal_actions()))
    assert state.move_number() == len(state.history())


# --- With the compiled engine. ---


def same(one, other):
    """Whether arrays hold the same bits, compared by words where they are large."""
    if one.flags.c_contiguous and other.flags.c_contiguous and one.nbytes % 8 == 0:
        one, other = (array.reshape(-1).view(numpy.uint64) for array in (one, other))
    return bool((one == other).all())


def assert_equal_steps(one, other):
    """Both draw the same actions with the same results."""
    actions = one.sample()
    assert (actions == other.sample()).all()
    playing = one.player >= 0
    for envs in (one, other):
        envs.step(actions, which=playing) if envs.reset_mode == "stay" else envs.step(actions)
    rows = slice(None) if playing.all() else numpy.flatnonzero(playing)  # nothing becomes of the others
    for name in ("mask", "rewards", "terminated", "truncated", "player", "observations"):
        assert same(getattr(one, name)[rows], getattr(other, name)[rows]), name
    return actions


# Legal actions come from lists and from sets, whose numbers follow each other or not, of one word and of several.
@pytest.mark.parametrize("name", ["hrg/tic-tac-toe.hrg", "hrg/kuhn-poker.hrg", "hrg/english-draughts.hrg", "hrg/breakthrough.hrg",
                                  "ludax/connect6.ldx"])
def test_compiled_plays_are_those_of_the_interpreter(name):
    game = load(name)
    one, other = rgtrans.env.VectorEnv(game, 16, jobs=2), make(game, 16)
    for envs in (one, other):
        envs.reset(seed=3)
    for _ in range(150):
        assert_equal_steps(one, other)


def test_saved_plays_are_those_of_the_game():
    """Bytes of another game, of other options, of fewer plays, or damaged ones, are refused, and nothing changes."""
    envs, other = (rgtrans.env.VectorEnv(load(f"hrg/{name}.hrg"), 4, threads=1) for name in ("tic-tac-toe", "breakthrough"))
    for batch in (envs, other):
        batch.reset(seed=3)
    saved = envs.save()
    actions = [envs.step(envs.sample()) and envs.mask.copy() for _ in range(5)]
    envs.load(saved)
    assert all((envs.step(envs.sample()) and envs.mask == mask).all() for mask in actions)
    before = envs.save()
    generator = random.Random(1)
    flipped = bytearray(saved)
    flipped[generator.randrange(len(saved))] ^= 1
    for damaged, why in ((b"", "no saved plays"), (saved[:-1], "missing"), (saved + b"x", "missing"), (bytes(flipped), ""),
                         (other.save(), "another game"), (bytes(len(saved)), "no saved plays")):
        with pytest.raises(rgtrans.ArgumentError, match=why) as problem:
            envs.load(damaged)
        assert problem.value.parameter == "plays" and isinstance(problem.value, ValueError)
    with pytest.raises(TypeError):
        envs.load("text")
    with pytest.raises(rgtrans.ArgumentError, match="number of plays"):
        rgtrans.env.VectorEnv(load("hrg/tic-tac-toe.hrg"), 3, threads=1).load(saved)
    with pytest.raises(rgtrans.ArgumentError, match="cannot be saved"):
        make(load("hrg/tic-tac-toe.hrg"), 4).save()
    assert envs.save() == before


def every_game():
    """The file in RGTRANS_GAME, or all games of this project and of the corpus; those of GDL, which take longest to be compiled,
    come last, short ones first."""
    if "RGTRANS_GAME" in os.environ:
        return [Path(os.environ["RGTRANS_GAME"])]
    shared = Path(os.environ.get("RGTRANS_SHARED", GAMES.parents[1] / "shared")) / "corpus"
    endings = {".hrg", ".rbg", ".ldx", ".linegame", ".rg"}
    paths = sorted(path for path in [*GAMES.rglob("*"), *shared.rglob("*")] if path.suffix in endings)
    gdl = sorted((path.stat().st_size, path) for folder in (GAMES, shared) for path in folder.rglob("*.kif"))
    return paths + [path for _, path in gdl]


EVERY = every_game() if FULL else []
MOST_EDGES = 100_000


class Follower:
    """The states in which the first play of a batch can be, made move by move by the interpreter. Moves of random are
    hidden: the tensors limit their candidates."""

    MOST = 8

    def __init__(self, envs):
        # As it is played: that names the cells, and says when they matter.
        self.envs, self.game = envs, envs.game.optimize().optimize(passes=["close-cycles", "direct-choices"])
        self.states, self.given = [], []

    def begin(self):
        self.given = []
        self.keep([self.game.new_state()])

    def follow(self, action):
        """Follows if single states can list their moves, which a batch with moves in parts does not need; else returns False."""
        try:
            self.step(action)
        except MemoryError:
            return False
        except rgtrans.Error as error:
            if "the interpreter's limit" not in str(error):
                raise
            return False
        return True

    def step(self, action):
        chosen = [self.envs.actions.legal(state, self.given)[action] for state in self.states]
        if chosen[0] is None:
            self.given.append(action)
        else:
            self.given = []
            self.keep([state.child(index) for state, index in zip(self.states, chosen)])

    def keep(self, states):
        """After any moves of random, those that the tensors show. A play ends without a move, too: it is cut off."""
        found = []
        while states and len(found) < self.MOST:
            state = states.pop()
            over = state.is_terminal() or state.move_count == 0
            if not over and state.current_player == "random":
                states += [state.child(index) for index in range(state.move_count)]
            elif over != (self.envs.player[0] < 0) or state in found:
                continue
            elif over or shows(self.envs, self.envs.observations[0], state):
                found.append(state)
        assert found, "the observation is of no state that the moves lead to"
        self.states = found


@pytest.mark.parametrize("path", EVERY, ids=["/".join(path.parts[-3:]) for path in EVERY])
def test_a_thousand_plays_of_both_engines(path, record_property):
    """A thousand plays, or as many as RGTRANS_SECONDS (60) of processor time are enough for; the tensors of some of them are decoded."""
    try:
        game = rgtrans.load(path)
    except rgtrans.Error as error:
        pytest.skip(f"no game: {str(error).splitlines()[0]}")
    if not game.players:
        pytest.skip("no game: nobody plays")
    if game.stats()["edges"] > MOST_EDGES:
        pytest.skip(f"more than {MOST_EDGES} edges")
    try:
        one = rgtrans.env.VectorEnv(game, 100, jobs=1, reset_mode="stay", max_moves=10_000)
    except rgtrans.Error as error:
        pytest.skip(f"no batch: {str(error).splitlines()[0]}")
    other = make(game, 100, reset_mode="stay", max_moves=10_000)
    follower = Follower(one) if one.observation_spec.form == "planes" else None
    begin = time.process_time()
    deadline = begin + float(os.environ.get("RGTRANS_SECONDS", "60"))
    plays = steps = boards = 0
    for seed in range(10):
        for envs in (one, other):
            envs.reset(seed=seed)
        following = follower is not None
        if following:
            follower.begin()
        while (one.player >= 0).any() and time.process_time() < deadline:
            followed = following and one.player[0] >= 0
            actions = assert_equal_steps(one, other)
            steps += 100
            if followed:
                following = follower.follow(int(actions[0]))
                boards += following
        plays += int((one.player < 0).sum())
        if time.process_time() >= deadline:
            break
    record_property("plays", plays)
    print(f"{path}: {plays} plays, {steps} steps, {boards} boards decoded in {time.process_time() - begin:.1f} s")


def test_pgx_form(ttt):
    env = rgtrans.env.PgxEnv(ttt)
    assert env.num_players == 2 and env.num_actions == 9
    first = env.init(range(8))
    state = first
    while not state.terminated.all():
        actions = state.legal_action_mask.argmax(1)
        state = env.step(state, actions)
    assert not first.terminated.any() and first.legal_action_mask.all()
    again = env.step(first, numpy.full(8, 4))
    assert (again.legal_action_mask.sum(1) == 8).all()
    assert (env.step(again, numpy.full(8, 4)).rewards == [1, -1]).all()  # illegal: the second player loses


def test_search_finds_the_winning_move(ttt):
    envs = rgtrans.env.VectorEnv(ttt, 2, reset_mode="stay")
    envs.reset(seed=1)
    for moves in ([0, 0], [3, 3], [1, 1], [4, 8]):
        envs.step(moves)

    def evaluate(observations, masks):
        return numpy.zeros(masks.shape, numpy.float32), numpy.zeros(len(masks), numpy.float32)

    search = rgtrans.env.Search(envs, evaluate, simulations=200)
    visits, values = search.run()
    assert list(search.actions(visits)) == [2, 2] and (values[:, 0] > 0.5).all()
    assert (visits.sum(1) == 200).all()
    with pytest.raises(rgtrans.ArgumentError, match="chance or hidden"):
        rgtrans.env.Search(make(load("hrg/kuhn-poker.hrg"), 1), evaluate)
