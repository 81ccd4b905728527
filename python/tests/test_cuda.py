"""Plays on a device, by the twin: the same source, compiled for the processor."""

import os

import numpy
import pytest

import rgtrans
from rgtrans.cuda import DeviceEnv


def load(name):
    return rgtrans.load(os.path.join(os.path.dirname(__file__), "..", "..", "games", name))


def test_without_a_device_the_processor_is_named():
    if os.path.exists("/dev/nvidia0"):
        pytest.skip("there is a device")
    with pytest.raises(rgtrans.Error, match="there is no CUDA device") as error:
        rgtrans.env.VectorEnv(load("hrg/tic-tac-toe.hrg"), 2, device="cuda")
    assert 'device="cpu"' in str(error.value) + str(getattr(error.value, "hint", ""))
    with pytest.raises(rgtrans.ArgumentError, match='threads cannot be given with device="cuda"'):
        rgtrans.env.VectorEnv(load("hrg/tic-tac-toe.hrg"), 2, device="cuda", threads=2)


def test_masks_rewards_and_ends_are_those_of_states():
    game = load("hrg/tic-tac-toe.hrg")
    envs = DeviceEnv(game, 3, twin=True)
    assert envs.num_actions == 9
    envs.reset(seed=4)
    states = [game.new_state() for _ in range(3)]
    ended = 0
    for _ in range(30):
        over = (envs.terminated.numpy() | envs.truncated.numpy()).astype(bool)
        mask = envs.mask.numpy()
        for i, state in enumerate(states):
            assert over[i] == state.is_terminal()
            legal = [] if over[i] else [envs.actions.id(text) for text in state.legal_moves()]
            assert numpy.flatnonzero(mask[i]).tolist() == sorted(legal)
            assert envs.choices.numpy()[i] == len(legal)
            if over[i]:
                ended += 1
                assert sorted(envs.rewards.numpy()[i].tolist()) in ([-1, 1], [0, 0])
        actions = envs.sample().numpy()
        for i, state in enumerate(states):
            if over[i]:
                states[i] = game.new_state()
            else:
                assert mask[i, actions[i]]
                state.apply(envs.actions.text(int(actions[i])))
        envs.step(actions)
    assert ended > 3
    with pytest.raises(rgtrans.ArgumentError, match="an action is not legal, in play 1$"):
        envs.reset(seed=1)
        envs.step([0, 9, 0])
    with pytest.raises(rgtrans.ArgumentError, match="count cannot be 0"):
        DeviceEnv(game, 0, twin=True)


def test_arrays_are_shared_and_seeds_decide():
    game = load("hrg/tic-tac-toe.hrg")
    one, two = (DeviceEnv(game, 50, twin=True) for _ in range(2))
    for envs in (one, two):
        envs.reset(seed=9)
        envs.random_steps(25)
    assert (one.mask.numpy() == two.mask.numpy()).all()
    shared = numpy.from_dlpack(one.choices)
    one.random_steps(1)
    assert (shared == one.choices.numpy()).all()
    two.reset(seed=10)
    two.random_steps(26)
    assert (one.mask.numpy() != two.mask.numpy()).any()


def test_the_moves_of_random_steps_are_counted():
    envs = DeviceEnv(load("hrg/tic-tac-toe.hrg"), 10, twin=True)
    envs.reset(seed=3)
    moves, seconds = envs.random_steps(40)
    assert 300 < moves < 400  # a step in which a play begins anew is none
    assert seconds > 0


def test_pytorch_shares_the_arrays_and_gives_actions():
    torch = pytest.importorskip("torch")
    envs = DeviceEnv(load("hrg/tic-tac-toe.hrg"), 6, twin=True)
    envs.reset(seed=2)
    arrays = ["mask", "rewards", "terminated", "truncated", "player", "choices"]
    shared = {name: torch.from_dlpack(getattr(envs, name)) for name in arrays}
    for _ in range(12):
        # The first legal action of each play, chosen by PyTorch.
        actions = shared["mask"].argmax(dim=1).to(torch.int32)
        envs.step(actions)
        for name in arrays:
            assert (shared[name].numpy() == getattr(envs, name).numpy()).all(), name
    with pytest.raises(rgtrans.ArgumentError, match="32-bit integers") as error:
        envs.step(actions.to(torch.int64))
    assert "torch.int32" in str(error.value) + str(getattr(error.value, "hint", ""))
    with pytest.raises(rgtrans.ArgumentError, match="one after the other"):
        envs.step(torch.zeros(12, dtype=torch.int32)[::2])
    with pytest.raises(rgtrans.ArgumentError, match="shape"):
        envs.step(torch.zeros(5, dtype=torch.int32))
    # What others hold stays when the environment is not held any more.
    mask = shared["mask"].clone()
    del envs
    assert (shared["mask"] == mask).all()


@pytest.mark.parametrize("name", ["hrg/breakthrough.hrg", "hrg/hex.hrg", "ludax/connect-four.ldx", "rbg/tic-tac-toe.rbg"])
@pytest.mark.parametrize("options", [{}, {"dtype": "bool", "layout": "NHWC", "relative": True}])
def test_observations_are_those_of_the_processor(name, options):
    """Actions that the processor's environment draws lead to the same tensors, masks, players, rewards and ends on the twin."""
    game = load(name)
    envs = rgtrans.env.VectorEnv(game, 7, threads=1, engine="interpreter", **options)
    twin = DeviceEnv(game, 7, twin=True, **options)
    assert twin.observation_spec == envs.observation_spec
    shared = numpy.from_dlpack(twin.observations)
    envs.reset(seed=1)
    twin.reset(seed=1)
    ended = 0
    for _ in range(150):
        assert (shared == envs.observations).all() and shared.any()
        for array in ("mask", "player", "rewards", "terminated", "truncated"):
            assert (getattr(twin, array).numpy() == getattr(envs, array)).all(), array
        for player in (0, 1):
            assert (twin.observe(player).numpy() == envs.observe(player)).all()
        actions = envs.sample()
        ended += int(envs.terminated.sum())
        envs.step(actions)
        twin.step(actions)
    assert ended > 3


def test_observations_can_be_left_out():
    with pytest.raises(rgtrans.Error, match="hides moves") as error:
        DeviceEnv(load("hrg/kuhn-poker.hrg"), 2, twin=True)
    assert "observe=False" in str(error.value)
    envs = DeviceEnv(load("hrg/kuhn-poker.hrg"), 2, observe=False, twin=True)
    assert envs.reset()[0] is None and envs.observation_spec is None
    with pytest.raises(rgtrans.ArgumentError, match="no observations"):
        envs.observe(0)


def test_what_does_not_fit_says_so():
    with pytest.raises(rgtrans.ArgumentError, match="memory of the device is too small: .* GB .* are wanted") as error:
        DeviceEnv(load("hrg/amazons.hrg"), 10_000_000, twin=True)
    assert 'device="cpu"' in str(error.value)
    envs = DeviceEnv(load("hrg/tic-tac-toe.hrg"), 3, twin=True)  # as if nothing had been
    envs.reset(seed=1)
    with pytest.raises(rgtrans.ArgumentError, match=r"the shape \(3,\), not \(2,\)"):
        envs.step([0, 1])
    with pytest.raises(TypeError, match="must be integers, not float64"):
        envs.step(numpy.zeros(3))
    with pytest.raises(rgtrans.ArgumentError, match="32 bits"):
        envs.step([0, 1, 2**40])
    with pytest.raises(rgtrans.ArgumentError, match="seed cannot be -1"):
        envs.reset(seed=-1)
    for bad in (9, -1):
        with pytest.raises(rgtrans.ArgumentError, match="an action is not legal, in play 2$"):
            envs.step([0, 1, bad])
    assert envs.mask.numpy().all()  # nothing was done
