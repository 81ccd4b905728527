"""All forms of environments: before reset(), in threads and forked processes, as copies and pickles, and as pictures."""

import copy
import os
import pickle
import random
import signal
import threading

import pytest
import rgtrans
from rgtrans.aec import AECEnv
from rgtrans.open_spiel import SpielGame

numpy = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def game():
    return rgtrans.load("tic-tac-toe")


class Vector:
    """Each form makes the first legal action of each play, and shows where it is."""

    def make(self, game, **options):
        self.env = rgtrans.env.VectorEnv(game, 4, engine="cpp", jobs=1, **options)
        return self

    def reset(self):
        self.env.reset(seed=5)

    def step(self):
        self.env.step(self.env.mask.argmax(1))

    def shown(self):
        return self.env.mask.tolist(), self.env.player.tolist(), self.env.observations.tolist()

    def state(self):
        return self.env.state(0)

    def render(self, mode):
        return self.env.render(0, mode)


class Gymnasium(Vector):
    def make(self, game, **options):
        self.env = rgtrans.env.GymnasiumVectorEnv(game, 4, engine="cpp", jobs=1, **options)
        return self

    def reset(self):
        self.last = self.env.reset(seed=5)[0]

    def step(self):
        self.last = self.env.step(self.last["action_mask"].argmax(1))[0]

    def shown(self):
        return {name: part.tolist() for name, part in self.last.items()}

    def render(self, mode):
        self.env.render_mode = mode
        return self.env.render()[0]


class Cycle(Vector):
    options = {"engine": "cpp"}

    def make(self, game, **options):
        self.env = AECEnv(game, **self.options, **options)
        return self

    def step(self):
        observation, _, end, cut, _ = self.env.last()
        self.env.step(None if end or cut else int(numpy.argmax(observation["action_mask"])))

    def shown(self):
        observation = self.env.last()[0]
        return self.env.agent_selection, [list(numpy.ravel(part)) for part in observation.values()]

    def state(self):
        return self.env._play.position()

    def render(self, mode):
        self.env.render_mode = mode
        return self.env.render()


class CycleOfBytes(Cycle):
    options = {"observe": "state"}


class Parallel(Cycle):
    def make(self, game, **options):
        self.env = rgtrans.env.ParallelEnv(game, engine="cpp", **options)
        return self

    def step(self):
        self.env.step({agent: int(self.env.observe(agent)["action_mask"].argmax()) for agent in self.env.agents})

    def shown(self):
        return [[part.tolist() for part in self.env.observe(agent).values()] for agent in self.env.possible_agents]


class Spiel(Vector):
    def make(self, game, **options):
        self.game = SpielGame(game)
        return self

    def reset(self):
        self.env = self.game.new_initial_state()

    def step(self):
        self.env.apply_action(self.env.legal_actions()[0])

    def shown(self):
        return self.env.history(), self.env.legal_actions(), str(self.env)

    def state(self):
        return self.env.state

    def render(self, mode):
        return self.env.render(mode)


FORMS = [Vector, Gymnasium, Cycle, CycleOfBytes, Parallel, Spiel]
every_form = pytest.mark.parametrize("form", FORMS, ids=[form.__name__ for form in FORMS])


def begun(form, game, steps=3):
    one = form().make(game)
    one.reset()
    for _ in range(steps):
        one.step()
    return one


@every_form
@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))],
                         ids=["copy", "deepcopy", "pickle"])
def test_copies_go_on_as_the_original_and_alone(game, form, twin):
    one = begun(form, game)
    other = copy.copy(one)
    other.env = twin(one.env)
    before = other.shown()
    assert before == one.shown()
    one.step()
    assert other.shown() == before != one.shown()
    other.step()
    assert other.shown() == one.shown()


@every_form
def test_a_forked_child_goes_on_or_gets_an_error(game, form):
    one = begun(form, game)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            one.step()
            os._exit(1)
        except rgtrans.UsageError:
            os._exit(2)
        finally:
            os._exit(3)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1  # one thread: the child needs no other
    one.step()


@every_form
def test_threads_end(game, form):
    """Two threads on one environment get errors, or their turns, and never a crash or a wait without end."""
    one = begun(form, game, 0)
    wrong = []

    def work():
        for _ in range(30):
            try:
                one.step()
            except (rgtrans.Error, ValueError, IndexError, KeyError, AttributeError, RuntimeError, StopIteration):
                try:
                    one.reset()
                except rgtrans.Error:
                    pass
            except BaseException as error:  # noqa: B902
                wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads) and not wrong


@every_form
def test_positions_are_those_of_the_play(game, form):
    """The first legal move, over and over: the state of the environment is the one that a State reaches."""
    one = begun(form, game, 0)
    state = game.new_state()
    space = rgtrans.ActionSpace(game)
    for _ in range(4 if form is not Gymnasium else 0):
        there = one.state()
        assert space.legal(there).keys() == space.legal(state).keys()
        assert (there.current_player, there.board()) == (state.current_player, state.board())
        state.apply(space.legal(state)[min(space.legal(state))])
        one.step()


@every_form
def test_pictures(game, form):
    one = begun(form, game)
    text, drawing, pixels = (one.render(mode) for mode in ("ansi", "svg", "rgb_array"))
    assert "3" in text and "a" in text and drawing.startswith("<svg")
    assert pixels.dtype == numpy.uint8 and pixels.ndim == 3 and pixels.shape[2] == 3
    assert len(numpy.unique(pixels.reshape(-1, 3), axis=0)) > 4
    one.step()
    assert not numpy.array_equal(one.render("rgb_array"), pixels)
    if form not in (Vector, Spiel):
        with pytest.raises(rgtrans.ArgumentError, match="render_mode cannot be 'human'; allowed: ansi, svg, rgb_array"):
            form().make(game, render_mode="human")


@pytest.mark.parametrize("form", [Cycle, CycleOfBytes, Parallel], ids=["tensors", "bytes", "parallel"])
def test_plays_of_agents_begin_with_reset(game, form):
    one = form().make(game)
    for use in (lambda: one.env.rewards, one.step, lambda: one.render("ansi")):
        with pytest.raises(rgtrans.UsageError, match=r"call reset\(\) first"):
            use()
    assert not hasattr(one.env, "agent_selection")


# --- States of a batch. ---


@pytest.mark.parametrize("engine", ["interpreter", "cpp"])
@pytest.mark.parametrize("name", ["breakthrough", "gdl/tic-tac-toe", "kuhn-poker"])
def test_states_of_a_batch_can_be_played_on(name, engine):
    game = rgtrans.load(name)
    envs = rgtrans.env.VectorEnv(game, 3, engine=engine, jobs=1, reset_mode="stay")
    envs.reset(seed=2)
    envs.step(envs.sample())
    for i in range(3):
        state = envs.state(i)
        assert state.is_terminal() == (envs.player[i] < 0)
        if state.is_terminal():
            continue
        assert state.current_player == game.players[envs.player[i]]
        assert sorted(envs.actions.legal(state)) == numpy.flatnonzero(envs.mask[i]).tolist()
        before, moves = str(state), state.legal_moves()
        state.apply(moves[-1])
        assert len(state.history) == 1 and str(state.copy()) == str(state) != before
        state.undo()
        assert str(state) == before and state.legal_moves() == moves
        with pytest.raises(IndexError):
            state.undo()
        assert state.playouts(10).playouts == 10
        with pytest.raises(rgtrans.UsageError, match="cannot be pickled"):
            pickle.dumps(state)
    kept = envs.state(0)
    del envs
    assert kept.legal_moves()  # it outlives the batch
    other = rgtrans.make("tic-tac-toe", 3, engine="interpreter")
    other.reset(seed=1)
    with pytest.raises(rgtrans.ArgumentError, match="play cannot be 3"):
        other.state(3)


def test_a_state_of_a_batch_hides_nothing_it_cannot_know():
    game = rgtrans.load("kuhn-poker")
    envs = rgtrans.env.VectorEnv(game, 1, engine="interpreter")
    envs.reset(seed=1)
    state = envs.state(0)
    assert "jack" in state.board() or "queen" in state.board() or "king" in state.board()
    with pytest.raises(rgtrans.ArgumentError, match="no history that shows what a player knows"):
        state.board(0)


def cells_of(scene):
    """Each cell with its piece and its text."""
    looks = [{**piece} for piece in scene["pieces"]]
    return [(cell["name"], looks[cell["piece"]] if cell.get("piece") is not None else None, cell.get("text"))
            for board in scene["boards"] for cell in board["cells"]]


@pytest.mark.parametrize("game", [g for g in rgtrans.games() if g.path.endswith((".hrg", ".rbg", ".ldx", ".kif"))], ids=str)
def test_boards_of_batches_are_those_of_states(game):
    """The boards of every game of the library, drawn from positions of the optimized game."""
    partly = game.name in PARTLY
    if game.name in SLOW and "RGTRANS_FULL" not in os.environ:
        pytest.skip("slow; set RGTRANS_FULL=1")
    game = game.game
    dice = random.Random(1)
    state = game.new_state()
    envs = rgtrans.env.VectorEnv(game, 1, engine="interpreter", jobs=1, observe=False, reset_mode="stay")
    envs.reset(seed=1)
    if game.has_chance:
        assert envs.state(0).board() or not game.new_state().scene()["boards"]
        return
    for _ in range(8):
        if state.is_terminal():
            break
        text = state.legal_moves()[dice.randrange(state.move_count)]
        for number in envs.actions.ids(text):
            if envs.mask[0][number]:
                envs.step([number])
        state.apply(text)
        boards = [cells_of(state.scene()), cells_of(envs.state(0).scene())]
        if not state.is_terminal():
            assert boards[0] == [whole if partly and not any(seen[1:]) else seen for whole, seen in zip(*boards)]


PARTLY = {"gdl/connect-four"}  # the optimizer drops stones that no line can need any more
SLOW = {"go-19x19", "rbg/chess", "arimaa", "chinese-checkers", "amazons", "rbg/amazons", "connect6", "international-draughts"}


# --- Ends. ---


def test_a_play_that_begins_anew_at_once_keeps_its_last_observation(game):
    plain = rgtrans.env.VectorEnv(game, 8, engine="interpreter", jobs=1, reset_mode="same_step")
    envs = rgtrans.env.VectorEnv(game, 8, engine="interpreter", jobs=1, reset_mode="same_step", final_obs=True)
    stay = rgtrans.env.VectorEnv(game, 8, engine="interpreter", jobs=1, reset_mode="stay")
    for batch in (plain, envs, stay):
        batch.reset(seed=1)
    ended = 0
    for _ in range(40):
        actions = plain.sample()
        assert (actions == envs.sample()).all()
        stay.sample()
        plain.step(actions)
        infos = envs.step(actions)[4]
        stay.step(actions)
        for name in ("observations", "mask", "rewards", "terminated", "truncated", "player"):
            assert (getattr(plain, name) == getattr(envs, name)).all(), name
        over = stay.terminated
        assert (infos["_final_obs"] == over).all() and (infos["_final_info"] == over).all()
        assert (infos["final_obs"][over] == stay.observations[over]).all()
        assert not infos["final_info"]["action_mask"][over].any() and (infos["final_info"]["player"][over] == -1).all()
        ended += over.sum()
        stay.reset(which=over)
    assert ended > 10
    with pytest.raises(rgtrans.ArgumentError, match="final_obs needs"):
        rgtrans.env.VectorEnv(game, 2, final_obs=True)


def test_gymnasium_gives_last_observations(game):
    env = rgtrans.env.GymnasiumVectorEnv(game, 8, engine="interpreter", jobs=1, player=1, reset_mode="same_step")
    mode = env.metadata["autoreset_mode"]
    assert getattr(mode, "value", mode) == "SameStep"
    observation, _ = env.reset(seed=1)
    ends = 0
    for _ in range(40):
        assert observation["action_mask"].any(1).all()  # it is always the learner's turn
        observation, rewards, terminated, _, infos = env.step(observation["action_mask"].argmax(1))
        assert infos.get("_final_obs", numpy.zeros(8, bool)).tolist() == terminated.tolist()
        for i in numpy.flatnonzero(terminated):
            last = infos["final_obs"][i]
            assert not last["action_mask"].any() and last["observation"].shape == observation["observation"][i].shape
            ends += 1
    assert ends > 10


def test_the_last_observation_of_a_play_that_was_cut_off(game):
    """The position after four moves, not the one that the new play begins with."""
    for env in (rgtrans.env.GymnasiumVectorEnv(game, 2, engine="interpreter", jobs=1, reset_mode="same_step", max_moves=4),
                rgtrans.env.VectorEnv(game, 2, engine="interpreter", jobs=1, reset_mode="same_step", max_moves=4, final_obs=True)):
        env.reset(seed=1)
        inner = getattr(env, "env", env)
        names = inner.observation_spec.planes
        taken = [names.index("board=cross"), names.index("board=nought")]
        for _ in range(4):
            truncated, infos = env.step(inner.mask.argmax(1))[3:]
            if truncated.all():
                break
        assert truncated.all()
        last = infos["final_obs"][0]
        last = last["observation"] if isinstance(last, dict) else last
        assert last[taken].sum() == 4


# --- Moves that are made at once. ---


def test_players_choose_at_once_in_the_parallel_form():
    env = rgtrans.env.ParallelEnv(rgtrans.load("prisoners-dilemma"), engine="interpreter")
    observations, _ = env.reset(seed=1)
    assert env.turns == ("row", "column")
    names = {action: env.env.actions.text(action) for action in range(env.env.num_actions)}
    steps = 0
    while env.agents:
        assert all(o["action_mask"].sum() == 2 for o in observations.values())
        choice = {}
        for agent, observation in observations.items():
            legal = {names[a].split()[-1]: a for a in numpy.flatnonzero(observation["action_mask"])}
            choice[agent] = next(a for name, a in legal.items() if ("defect" if agent == "row" else "cooperate") in name)
        if steps == 0:
            with pytest.raises(rgtrans.ArgumentError, match="no action for column"):
                env.step({"row": choice["row"]})
        observations, rewards, _, _, _ = env.step(choice)
        steps += 1
    assert steps == 4 and rewards == {"row": 1.0, "column": -1.0}


def test_players_in_turn_are_not_at_once(game, pennies):
    env = rgtrans.env.ParallelEnv(game, engine="interpreter")
    env.reset(seed=1)
    assert env.turns == ("cross",)
    env = rgtrans.env.ParallelEnv(rgtrans.load("kuhn-poker"), engine="interpreter")
    env.reset(seed=1)
    assert len(env.turns) == 1  # the second player sees the first one's move
    env = rgtrans.env.ParallelEnv(pennies, engine="interpreter")
    env.reset(seed=1)
    assert env.turns == ("chooser", "guesser")


def test_spiel_has_simultaneous_nodes():
    game = SpielGame(rgtrans.load("prisoners-dilemma"))
    assert game.get_type().dynamics == "simultaneous"
    state = game.new_initial_state()
    nodes = 0
    while not state.is_terminal():
        assert state.current_player() == -2 and state.is_simultaneous_node() and not state.is_player_node()
        assert len(state.legal_actions(0)) == len(state.legal_actions(1)) == 2
        with pytest.raises(rgtrans.ArgumentError, match="at once"):
            state.apply_action(state.legal_actions(0)[0])
        with pytest.raises(rgtrans.ArgumentError, match="one for each of 2"):
            state.apply_actions([0])
        again = game.deserialize_state(state.serialize())
        assert str(again) == str(state)
        before = str(state)
        actions = [state.legal_actions(player)[-1] for player in range(2)]
        state.apply_actions(actions)
        undone = state.clone()
        undone.undo_action(0, actions[0])
        assert str(undone) == before and len(undone.history()) == 2 * nodes
        nodes += 1
    assert nodes == 4 and len(state.full_history()) == 8 and state.returns()[0] == state.returns()[1]
    turns = SpielGame(rgtrans.load("prisoners-dilemma"), dynamics="sequential")
    assert turns.get_type().dynamics == "sequential" and turns.new_initial_state().current_player() == 0
    assert SpielGame(rgtrans.load("tic-tac-toe")).get_type().dynamics == "sequential"


def test_both_dynamics_are_one_game():
    game = rgtrans.load("prisoners-dilemma")
    for seed in range(5):
        dice = random.Random(seed)
        joint, turns = (SpielGame(game, dynamics=kind).new_initial_state() for kind in ("simultaneous", "sequential"))
        while not joint.is_terminal():
            actions = [dice.choice(joint.legal_actions(player)) for player in range(2)]
            joint.apply_actions(actions)
            for player, action in enumerate(actions):
                assert turns.current_player() == player
                turns.apply_action(action)
        assert turns.is_terminal() and turns.returns() == joint.returns()


# --- Names. ---


def test_numbers_of_moves_take_every_text_that_states_take():
    game = rgtrans.load("chess")
    state, space = game.new_state(), rgtrans.ActionSpace(game)
    number = space.id("S(5,2) S(5,4)") if "S(5,2) S(5,4)" in state.legal_moves() else space.id(state.move_text("e2 e4"))
    for text in ("e2 e4", "e2e4", "  e2   e4 "):
        assert space.id(text, state) == number == space.id(state.copy().move_text(text))
    assert space.id("e2 e4") == number and space.name(number) == "e2 e4"
    with pytest.raises(rgtrans.ArgumentError, match="not a legal move"):
        space.id("e2 e5", state)
    with pytest.raises(rgtrans.ArgumentError, match="no move 'castle to the moon'"):
        space.id("castle to the moon")


def test_signatures_show_the_parameters():
    import inspect

    names = list(inspect.signature(rgtrans.env.VectorEnv).parameters)
    assert names[:3] == ["game", "count", "jobs"] and {"reset_mode", "max_moves", "final_obs"} <= set(names)
    assert "jobs" in inspect.signature(rgtrans.Game.playouts).parameters


def test_seeds_are_whole_numbers(game):
    envs = rgtrans.env.VectorEnv(game, 4, engine="interpreter")
    with pytest.raises(TypeError, match="seed must be an int, or an int for each play, not float"):
        envs.reset(seed=1.5)
    with pytest.raises(rgtrans.ArgumentError, match=r"seeds must have the shape \(4,\), not \(2,\)"):
        envs.reset(seed=[1, 2])


# --- States in threads, as th.py and fk.py of the trial had it. ---


def test_states_and_playouts_in_threads(game):
    state, wrong = game.new_state(), []

    def change(number):
        for _ in range(300):
            try:
                if number == 0:
                    state.apply(0)
                elif number == 1:
                    state.undo()
                elif number == 2:
                    state.perft(2)
                else:
                    state.playouts(20)
                state.legal_moves(), state.copy(), str(state)
            except (rgtrans.Error, IndexError):
                pass  # another thread was first
            except BaseException as error:  # noqa: B902
                wrong.append(error)

    threads = [threading.Thread(target=change, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads) and not wrong


@pytest.mark.parametrize("jobs", [1, 2])
def test_playouts_in_a_forked_child(game, jobs):
    game.playouts(100, jobs=jobs)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            os._exit(0 if game.playouts(100, jobs=jobs).playouts == 100 else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


class Plays:
    """A data set for PyTorch: it goes on with an environment and yields where that is."""

    def __init__(self, one):
        self.one = one

    def __iter__(self):
        for _ in range(3):
            self.one.step()
            yield repr(self.one.shown())


def put_all(data, queue):
    for item in data:
        queue.put(item)


def loaded(data):
    """All that two workers of a DataLoader yield; without PyTorch, that two processes yield which begin in the same way."""
    try:
        import torch
    except ImportError:
        import multiprocessing

        system = multiprocessing.get_context("fork")
        queue = system.Queue()
        workers = [system.Process(target=put_all, args=(data, queue)) for _ in range(2)]
        for worker in workers:
            worker.start()
        items = [queue.get(timeout=60) for _ in range(6)]
        for worker in workers:
            worker.join(60)
        assert [worker.exitcode for worker in workers] == [0, 0]
        return items

    class Iterable(torch.utils.data.IterableDataset):
        def __iter__(self):
            return iter(data)

    return list(torch.utils.data.DataLoader(Iterable(), batch_size=None, num_workers=2, timeout=60))


@every_form
def test_a_data_loader_with_two_workers(game, form):
    """The workers go on with the environment as the process that made it does."""
    one = begun(form, game)
    found = loaded(Plays(one))
    assert sorted(found) == sorted(2 * list(Plays(one)))


def test_a_data_loader_gets_an_error_where_the_parent_has_threads(game):
    envs = rgtrans.env.VectorEnv(game, 64, engine="cpp", jobs=2)
    envs.reset(seed=1)
    envs.step(envs.sample())

    class Refused(Plays):
        def __iter__(self):
            for _ in range(3):
                try:
                    envs.step(envs.sample())
                    yield "stepped"
                except rgtrans.UsageError as error:
                    yield str(error)

    assert all("worker threads" in item or "jobs=1" in item for item in loaded(Refused(None)))


# --- A word while compilers work. ---


@pytest.mark.parametrize("terminal", [False, True])
def test_compilers_are_announced(monkeypatch, terminal):
    import io

    from rgtrans import _progress

    class Stream(io.StringIO):
        def isatty(self):
            return terminal

    now = [100.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(_progress.sys, "stderr", Stream())
    with _progress.compiling("chess"):
        for _ in range(40):
            _progress.tick()
            now[0] += 0.1
    said = _progress.sys.stderr.getvalue()
    assert said.startswith("\r" * terminal + "rgtrans: compiling chess; the result is kept") and said.endswith("\n")
    assert said.count("compiling") == (3 if terminal else 1)
    assert ("3 s" in said) == terminal


@pytest.mark.skipif("RGTRANS_FULL" not in os.environ, reason="it compiles a game anew; set RGTRANS_FULL=1")
def test_the_first_build_is_announced(tmp_path):
    import subprocess
    import sys

    program = "import rgtrans; rgtrans.load('tic-tac-toe').new_state('cpp')"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    runs = [subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True).stderr
            for _ in range(2)]
    assert runs == ["rgtrans: compiling tic-tac-toe; the result is kept\n", ""]


def test_gymnasium_shows_the_learner_its_own_last_observation(pennies):
    # At the end no player is to move. The learner must not be shown the view of the first player there.
    for mode in ("next_step", "same_step"):
        env = rgtrans.env.GymnasiumVectorEnv(pennies, 4, engine="interpreter", jobs=1, player=1, reset_mode=mode)
        env.reset(seed=1)
        observation, _, terminated, _, infos = env.step(env.env.sample())
        assert terminated.all()
        last = observation["observation"] if mode == "next_step" else [seen["observation"] for seen in infos["final_obs"]]
        movers = len(pennies.players) + 2
        for seen in last:
            assert not seen[:, 0].any() and seen[0, 1] == 1 and seen[0, movers:].sum() == 1


def test_a_play_without_a_move_is_cut_off():
    game = rgtrans.load("""
        type Player = {x}; type Score = {0}; type Bit = {h, t};
        var bit: Bit = h;
        begin, go: player = x;
        go, gone: $ go;
        gone, stuck: player = x;
        stuck, never: bit == t;
        never, end: player = keeper;
    """, "rg", name="stuck")
    for observe in ("tensor", "moves"):
        env = AECEnv(game, observe=observe, engine="interpreter")
        env.reset()
        env.step(0)
        assert env.truncations == {"x": True} and env.terminations == {"x": False}
