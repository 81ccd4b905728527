"""Environments that strangers use: before reset(), in threads, in forked processes, as copies and pickles."""

import copy
import os
import pickle
import signal
import threading

import pytest
import rgtrans

numpy = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def game():
    return rgtrans.load("tic-tac-toe")


@pytest.mark.parametrize("use", [
    lambda envs: envs.step(numpy.zeros(3, numpy.int32)),
    lambda envs: envs.sample(),
    lambda envs: envs.random_steps(2),
    lambda envs: envs.observe(0),
    lambda envs: envs.save(),
])
def test_plays_begin_with_reset(game, use):
    envs = rgtrans.env.VectorEnv(game, 3)
    with pytest.raises(rgtrans.UsageError, match=r"the plays have not begun; call reset\(\) first"):
        use(envs)
    envs.reset(seed=1)
    use(envs)


def test_a_second_thread_gets_an_error(game):
    envs = rgtrans.env.VectorEnv(game, 64, engine="interpreter")
    envs.reset(seed=1)
    problems, entered, left = [], threading.Event(), threading.Event()

    def first():
        with envs._user:
            entered.set()
            left.wait(20)

    thread = threading.Thread(target=first)
    thread.start()
    assert entered.wait(20)
    try:
        envs.step(envs.sample())
    except rgtrans.UsageError as error:
        problems.append(str(error))
    left.set()
    thread.join()
    assert problems == ["two threads use this environment at once; give each thread its own"]
    envs.step(envs.sample())  # and goes on afterwards


def test_many_threads_end(game):
    envs = rgtrans.env.VectorEnv(game, 64, engine="interpreter")
    envs.reset(seed=1)
    wrong = []

    def work(number):
        for _ in range(50):
            try:
                if number % 2:
                    envs.step(envs.sample())
                else:
                    envs.reset(seed=number)
            except rgtrans.Error as error:  # of the other threads, or of a reset between sample and step
                if "two threads" not in str(error) and "not legal" not in str(error):
                    wrong.append(str(error))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads) and not wrong


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_forked_child_never_hangs(game, jobs):
    envs = rgtrans.env.VectorEnv(game, 256, engine="interpreter", jobs=jobs)
    envs.reset(seed=1)
    envs.step(envs.sample())
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            envs.step(envs.sample())
            os._exit(1)
        except rgtrans.UsageError as error:
            os._exit(2 if "belong to the process that made it" in str(error) else 3)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == jobs
    envs.step(envs.sample())


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
def test_copies_go_on_as_the_original(game, twin):
    envs = rgtrans.env.VectorEnv(game, 16, reset_mode="next_step", max_moves=7)
    envs.reset(seed=3)
    for _ in range(5):
        envs.step(envs.sample())
    other = twin(envs)
    for _ in range(12):
        for name in ("observations", "mask", "rewards", "terminated", "truncated", "player"):
            assert numpy.array_equal(getattr(envs, name), getattr(other, name)), name
        actions = envs.sample()
        assert numpy.array_equal(actions, other.sample())
        envs.step(actions)
        other.step(actions)


def test_a_copy_that_has_not_begun(game):
    other = pickle.loads(pickle.dumps(rgtrans.env.VectorEnv(game, 2, max_moves=5)))
    with pytest.raises(rgtrans.UsageError):
        other.sample()
    other.reset(seed=1)
    assert other.num_envs == 2 and other.mask.sum() == 18


def test_a_search_refuses_what_is_not_a_number(game):
    envs = rgtrans.env.VectorEnv(game, 2)
    envs.reset(seed=1)

    def logits(observations, masks):
        return numpy.full(masks.shape, numpy.nan), numpy.zeros(len(masks))

    def values(observations, masks):
        return numpy.zeros(masks.shape), numpy.full(len(masks), numpy.nan)

    def endless(observations, masks):
        return numpy.full(masks.shape, numpy.inf), numpy.zeros(len(masks))

    for evaluate, name in ((logits, "logits"), (values, "values"), (endless, "logits")):
        with pytest.raises(rgtrans.ArgumentError, match=f"{name} that are not numbers"):
            rgtrans.env.Search(envs, evaluate, simulations=2).run()


def test_all_errors_are_one_family(game):
    assert issubclass(rgtrans.Error, ValueError)
    for kind in (rgtrans.ArgumentError, rgtrans.ProofError, rgtrans.UsageError):
        assert issubclass(kind, rgtrans.Error)
    envs = rgtrans.env.VectorEnv(game, 1)
    envs.reset(seed=1)
    with pytest.raises(rgtrans.Error) as caught:
        envs.step([10**6])
    assert not str(caught.value).startswith("\n")
    error = pickle.loads(pickle.dumps(rgtrans.ArgumentError("wrong", "name", "hint")))
    assert (str(error), error.parameter, error.rendered) == ("wrong; hint", "name", "wrong")
