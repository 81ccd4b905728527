"""Plays on a device, and by the twin: the same source, compiled for the processor."""

import gc
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import pytest

import rgtrans

GAMES = pathlib.Path(__file__).resolve().parents[2] / "games"


def load(name):
    return rgtrans.load(GAMES / name)


def on_device(game, count, twin, **options):
    return rgtrans.env.VectorEnv(game, count, engine="cuda-twin" if twin else "cuda", **options)


def shown(array):
    """The current values of an array; shared if NumPy can share them."""
    if array.__dlpack_device__()[0] != 1:
        return array.numpy
    shared = numpy.from_dlpack(array)
    return lambda: shared


def has_device():
    return os.path.exists("/dev/nvidia0") or os.path.exists("/dev/nvidiactl")


@pytest.fixture
def device():
    if not has_device():
        pytest.skip("there is no device")
    if not (os.environ.get("NVCC") or shutil.which("nvcc") or os.path.exists("/usr/local/cuda/bin/nvcc")):
        pytest.skip("there is no nvcc")


@pytest.fixture(params=["twin", "device"])
def twin(request):
    """Whether the twin plays; else a device does, where there is one."""
    if request.param == "device":
        request.getfixturevalue("device")
    return request.param == "twin"


def test_without_a_device_the_processor_is_named():
    if has_device():
        pytest.skip("there is a device")
    with pytest.raises(rgtrans.Error, match="there is no CUDA device") as error:
        rgtrans.env.VectorEnv(load("hrg/tic-tac-toe.hrg"), 2, engine="cuda")
    assert 'the engine "cpp" plays' in str(error.value)
    with pytest.raises(rgtrans.ArgumentError, match='jobs cannot be given with engine="cuda"'):
        rgtrans.env.VectorEnv(load("hrg/tic-tac-toe.hrg"), 2, engine="cuda", jobs=2)


# A driver with one device, of compute capability 7.
OLD_DRIVER = """
extern "C" {
int cuInit(unsigned) { return 0; }
int cuDeviceGetCount(int* count) { return *count = 1, 0; }
int cuDeviceGet(int* device, int number) { return *device = number, 0; }
int cuDeviceGetAttribute(int* value, int, int) { return *value = 7, 0; }
}
"""


def test_a_device_that_is_too_old_is_told(tmp_path):
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        pytest.skip("there is no compiler")
    (tmp_path / "driver.cpp").write_text(OLD_DRIVER)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", tmp_path / "libcuda.so.1", tmp_path / "driver.cpp"], check=True)
    program = "import rgtrans, sys; rgtrans.env.VectorEnv(rgtrans.load(sys.argv[1]), 2, engine='cuda')"
    done = subprocess.run([sys.executable, "-c", program, GAMES / "hrg/tic-tac-toe.hrg"], capture_output=True, text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode != 0
    assert "is too old: compute capability 8.0 or later is needed" in done.stderr


def test_masks_rewards_and_ends_are_those_of_states(twin):
    game = load("hrg/tic-tac-toe.hrg")
    envs = on_device(game, 3, twin)
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
        on_device(game, 0, twin)


def test_arrays_are_shared_and_seeds_decide(twin):
    game = load("hrg/tic-tac-toe.hrg")
    one, two = (on_device(game, 50, twin) for _ in range(2))
    for envs in (one, two):
        envs.reset(seed=9)
        envs.random_steps(25)
    assert (one.mask.numpy() == two.mask.numpy()).all()
    shared = shown(one.choices)
    one.random_steps(1)
    assert (shared() == one.choices.numpy()).all()
    two.reset(seed=10)
    two.random_steps(26)
    assert (one.mask.numpy() != two.mask.numpy()).any()


@pytest.mark.parametrize("name", ["hrg/breakthrough.hrg", "hrg/chess.hrg", "hrg/english-draughts.hrg", "ludax/reversi.ldx", "ludax/hex.ldx",
                                  "rbg/go-9x9.rbg", "hrg/backgammon.hrg"])
@pytest.mark.usefixtures("device")
def test_a_device_plays_as_the_twin_does(name):
    """The same random numbers lead to the same moves, whatever order plays are stepped in."""
    game = load(name)
    one, two = (on_device(game, 1000, twin, observe=False) for twin in (True, False))
    for envs in (one, two):
        envs.reset(seed=5)
    for steps in (1, 2, 60, 1, 40):
        assert one.random_steps(steps)[0] == two.random_steps(steps)[0]
        for array in ("mask", "choices", "player", "rewards", "terminated", "truncated"):
            assert (getattr(one, array).numpy() == getattr(two, array).numpy()).all(), array


@pytest.mark.parametrize("name", ["hrg/chess.hrg", "ludax/connect-four.ldx"])
def test_many_steps_at_once_are_as_many_steps(name, twin):
    one, two = (on_device(load(name), 20, twin, observe=False) for _ in range(2))
    for envs in (one, two):
        envs.reset(seed=6)
    for _ in range(50):
        two.random_steps(1)
    one.random_steps(50)
    for array in ("mask", "choices", "player", "rewards", "terminated", "truncated"):
        assert (getattr(one, array).numpy() == getattr(two, array).numpy()).all(), array


def test_the_moves_of_random_steps_are_counted(twin):
    envs = on_device(load("hrg/tic-tac-toe.hrg"), 10, twin)
    envs.reset(seed=3)
    moves, seconds = envs.random_steps(40)
    assert 300 < moves < 400  # a step in which a play begins anew is none
    assert seconds > 0


def test_pytorch_shares_the_arrays_and_gives_actions(twin):
    torch = pytest.importorskip("torch")
    envs = on_device(load("hrg/tic-tac-toe.hrg"), 6, twin)
    envs.reset(seed=2)
    arrays = ["mask", "rewards", "terminated", "truncated", "player", "choices"]
    shared = {name: torch.from_dlpack(getattr(envs, name)) for name in arrays}
    for _ in range(12):
        # The first legal action of each play, chosen by PyTorch.
        actions = shared["mask"].argmax(dim=1).to(torch.int32)
        envs.step(actions)
        for name in arrays:
            assert shared[name].is_cuda == (not twin)
            assert (shared[name].cpu().numpy() == getattr(envs, name).numpy()).all(), name
    with pytest.raises(rgtrans.ArgumentError, match="32-bit integers") as error:
        envs.step(actions.to(torch.int64))
    assert "torch.int32" in str(error.value) + str(getattr(error.value, "hint", ""))
    with pytest.raises(rgtrans.ArgumentError, match="one after the other"):
        envs.step(torch.zeros(12, dtype=torch.int32)[::2])
    with pytest.raises(rgtrans.ArgumentError, match="shape"):
        envs.step(torch.zeros(5, dtype=torch.int32))
    # Shared arrays stay after the environment is released.
    mask = shared["mask"].clone()
    del envs
    assert (shared["mask"] == mask).all()


def test_jax_shares_the_arrays_and_gives_actions(twin):
    jax = pytest.importorskip("jax")
    if not twin and jax.default_backend() != "gpu":
        pytest.skip("this JAX has no device")
    envs = on_device(load("hrg/tic-tac-toe.hrg"), 6, twin)
    envs.reset(seed=2)
    for _ in range(12):
        mask = jax.dlpack.from_dlpack(envs.mask)
        assert (numpy.asarray(mask) == envs.mask.numpy()).all()
        actions = mask.argmax(axis=1).astype("int32").block_until_ready()
        envs.step(actions)


@pytest.mark.parametrize("name", ["hrg/breakthrough.hrg", "hrg/hex.hrg", "ludax/connect-four.ldx", "rbg/tic-tac-toe.rbg"])
@pytest.mark.parametrize("options", [{}, {"dtype": "bool", "layout": "NHWC", "relative": True}])
def test_observations_are_those_of_the_processor(name, options, twin):
    """Actions that the processor's environment draws lead to the same tensors, masks, players, rewards and ends on a device."""
    game = load(name)
    envs = rgtrans.env.VectorEnv(game, 7, jobs=1, engine="interpreter", **options)
    device = on_device(game, 7, twin, **options)
    assert device.observation_spec == envs.observation_spec
    shared = shown(device.observations)
    envs.reset(seed=1)
    device.reset(seed=1)
    ended = 0
    for _ in range(150):
        assert (shared() == envs.observations).all() and shared().any()
        for array in ("mask", "player", "rewards", "terminated", "truncated"):
            assert (getattr(device, array).numpy() == getattr(envs, array)).all(), array
        for player in (0, 1):
            assert (device.observe(player).numpy() == envs.observe(player)).all()
        actions = envs.sample()
        ended += int(envs.terminated.sum())
        envs.step(actions)
        device.step(actions)
    assert ended > 3


def test_observations_can_be_left_out(twin):
    with pytest.raises(rgtrans.Error, match="hides moves") as error:
        on_device(load("hrg/kuhn-poker.hrg"), 2, twin)
    assert "observe=False" in str(error.value)
    envs = on_device(load("hrg/kuhn-poker.hrg"), 2, twin, observe=False)
    assert envs.reset()[0] is None and envs.observations is None
    with pytest.raises(rgtrans.ArgumentError, match="no observations"):
        envs.observation_spec  # noqa: B018
    with pytest.raises(rgtrans.ArgumentError, match="no observations"):
        envs.observe(0)


def test_what_does_not_fit_says_so(twin):
    with pytest.raises(rgtrans.ArgumentError, match="memory of the device is too small: .* GB .* are wanted") as error:
        on_device(load("hrg/amazons.hrg"), 2_000_000_000, twin)
    assert 'the engine "cpp" plays' in str(error.value)
    envs = on_device(load("hrg/tic-tac-toe.hrg"), 3, twin)  # as if nothing had been
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


def test_steps_of_a_device_have_no_choice_of_plays(twin):
    envs = on_device(load("hrg/tic-tac-toe.hrg"), 3, twin)
    first = envs.reset()[1]["action_mask"]
    assert envs.reset()[1]["action_mask"] is first and isinstance(first, rgtrans.env.DeviceArray)
    with pytest.raises(rgtrans.ArgumentError, match="which cannot be given"):
        envs.step([0, 1, 2], which=[True, False, True])
    with pytest.raises(rgtrans.ArgumentError, match="one seed for all plays"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(rgtrans.ArgumentError, match="cannot be saved"):
        envs.save()
    envs.close()
    with pytest.raises(rgtrans.ArgumentError, match="closed"):
        envs.sample()


def test_arrays_outlive_their_environment():
    """An array keeps the memory of its batch, and so does each tensor that DLPack made of it."""
    envs = on_device(load("hrg/tic-tac-toe.hrg"), 4, twin=True)
    envs.reset(seed=1)
    mask, shared = envs.mask, numpy.from_dlpack(envs.mask)
    assert mask.shape == (4, 9) and mask.dtype == "uint8" and mask.__dlpack_device__() == (1, 0)
    assert repr(envs.player) == "<DeviceArray (4,) of int32>"
    envs.mask.__dlpack__()  # nobody takes it
    actions = numpy.from_dlpack(envs.sample()).copy()
    envs.step(Lent(actions))
    del envs
    gc.collect()
    assert (mask.numpy() == shared).all() and (mask.numpy().sum(1) == 8).all()


def test_the_former_place_of_device_environments():
    from rgtrans.cuda import DeviceEnv

    envs = DeviceEnv(load("hrg/tic-tac-toe.hrg"), 2, observe=False, twin=True)
    assert type(envs) is rgtrans.env.VectorEnv and envs.num_envs == 2


class Lent:
    """An array of another library."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_actions_of_others_are_checked():
    envs = on_device(load("hrg/tic-tac-toe.hrg"), 3, twin=True)
    envs.reset(seed=1)
    for wrong, message in ((numpy.zeros(2, numpy.int32), r"the shape \(3,\), not \(2,\)"), (numpy.zeros(3), "32-bit integers"),
                           (numpy.zeros((3, 1), numpy.int32), r"not \(3, 1\)"),
                           (numpy.zeros(6, numpy.int32)[::2], "one after the other")):
        with pytest.raises(rgtrans.ArgumentError, match=message):
            envs.step(Lent(wrong))
    envs.step(Lent(numpy.array([9, 0, 1, 2], numpy.int32)[1:]))
    assert (envs.mask.numpy().sum(1) == 8).all()
