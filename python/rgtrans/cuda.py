"""Plays on a GPU: what ``VectorEnv(..., device="cuda")`` is. The arrays stay in the memory of the device; DLPack hands them to
PyTorch, JAX and others without copying."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy

from . import _core
from .actions import ActionSpace
from .errors import ArgumentError, Error
from .game import Game
from .vector import ObservationSpec, integers, one_of, played, spec, whole

__all__ = ["DeviceArray", "DeviceEnv"]

_VERSION = 3
_CPU, _CUDA = 1, 2  # DLPack's devices


class _Text(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class _Actions(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint32), ("lengths", ctypes.c_void_p), ("tags", ctypes.c_void_p)]


class _Arrays(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in (
        "actions", "masks", "rewards", "terminated", "truncated", "players", "choices", "lacks", "observations")]


_U32, _U64, _I32, _P, _INT = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int32, ctypes.c_void_p, ctypes.c_int
_STRINGS = ctypes.POINTER(ctypes.c_char_p)


class _Device(ctypes.Structure):  # rgtrans_device, in device.h
    _fields_ = [
        ("version", _U32), ("state_size", _U32), ("lane_size", _U32), ("players", _U32), ("scores", _U32), ("tags", _U32),
        ("most_tags", _U32), ("game", ctypes.c_char_p), ("player_names", _STRINGS), ("score_names", _STRINGS),
        ("tag_names", _STRINGS), ("packed", _INT), ("universe_count", _U32), ("variable_count", _U32), ("universes", _P),
        ("variables", _P), ("places", _U32),
        ("ready", ctypes.CFUNCTYPE(_INT, _INT, _Text)),
        ("playouts", _P),
        ("open", ctypes.CFUNCTYPE(_P, _INT, _U32, _U64, _U32, _P, _P, _Text)),
        ("close", ctypes.CFUNCTYPE(None, _P)),
        ("arrays", ctypes.CFUNCTYPE(_INT, _P, ctypes.POINTER(_Arrays))),
        ("reset", ctypes.CFUNCTYPE(_INT, _P, _U64, _Text)),
        ("step", ctypes.CFUNCTYPE(_INT, _P, _INT, _Text)),
        ("random_steps", ctypes.CFUNCTYPE(_INT, _P, _U32, ctypes.POINTER(_U64), ctypes.POINTER(ctypes.c_double), _Text)),
        ("sample", ctypes.CFUNCTYPE(_INT, _P, _Text)),
        ("show", ctypes.CFUNCTYPE(_INT, _P, _P, _Text)),
        ("observe", ctypes.CFUNCTYPE(_INT, _P, _I32, _Text)),
        ("fetch", ctypes.CFUNCTYPE(_INT, _P, _P, _P, ctypes.c_size_t, _Text)),
        ("store", ctypes.CFUNCTYPE(_INT, _P, _P, _P, ctypes.c_size_t, _Text)),
    ]


# --- DLPack ---


class _DLDevice(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class _DLType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", _P), ("device", _DLDevice), ("ndim", ctypes.c_int32), ("dtype", _DLType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", _U64)]


_DELETER = ctypes.CFUNCTYPE(None, _P)


class _DLManaged(ctypes.Structure):
    _fields_ = [("tensor", _DLTensor), ("context", _P), ("deleter", _DELETER)]


_given: Dict[int, Tuple[Any, ...]] = {}  # what others still hold, by the address of its description


@_DELETER
def _give_back(address: int) -> None:
    _given.pop(address, None)


def _python(name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(ctypes.pythonapi, name)
    function.restype, function.argtypes = result, arguments
    return function


_capsule = _python("PyCapsule_New", ctypes.py_object, _P, ctypes.c_char_p, _P)
_pointer_in = _python("PyCapsule_GetPointer", _P, ctypes.py_object, ctypes.c_char_p)
_rename = _python("PyCapsule_SetName", _INT, ctypes.py_object, ctypes.c_char_p)
_GIVEN, _TAKEN = b"dltensor", b"used_dltensor"  # names of capsules; they must stay
_TYPES = {"int32": (0, 32), "uint8": (1, 8), "float32": (2, 32), "bool": (1, 8)}  # not every library knows truths
_LEGACY = 1  # the stream that everything here is asked of


class _Taken:
    """An array of somebody else, through DLPack, until it is given back."""

    def __init__(self, array: Any) -> None:
        on_device = array.__dlpack_device__()[0] == _CUDA
        self._capsule = array.__dlpack__(stream=_LEGACY) if on_device else array.__dlpack__()
        address = _pointer_in(self._capsule, _GIVEN)
        self._managed = _DLManaged.from_address(address)
        _rename(self._capsule, _TAKEN)
        tensor = self._managed.tensor
        dimensions = range(tensor.ndim)
        self.shape = tuple(tensor.shape[i] for i in dimensions)
        self.strides = tuple(tensor.strides[i] for i in dimensions) if tensor.strides else None
        self.kind = (tensor.dtype.code, tensor.dtype.bits)
        self.address = tensor.data + tensor.byte_offset

    def give_back(self) -> None:
        if self._managed.deleter:
            self._managed.deleter(ctypes.addressof(self._managed))


class DeviceArray:
    """An array in the memory of the device. ``torch.from_dlpack(array)`` shares it; :meth:`numpy` copies it."""

    def __init__(self, env: "DeviceEnv", address: int, shape: Tuple[int, ...], dtype: str) -> None:
        self._env, self._address = env, address
        self.shape, self.dtype = shape, dtype

    def __repr__(self) -> str:
        return f"<DeviceArray {self.shape} of {self.dtype}>"

    def __dlpack_device__(self) -> Tuple[int, int]:
        return (_CPU, 0) if self._env._twin else (_CUDA, 0)

    def __dlpack__(self, *, stream: Any = None, **_: Any) -> Any:
        if not self._env._twin and stream not in (None, _LEGACY, -1):  # who works in a stream of their own has to wait
            self._env._call("fetch", ctypes.byref(ctypes.c_uint8()), self._address, 1)
        code, bits = _TYPES[self.dtype]
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        managed = _DLManaged()
        managed.tensor = _DLTensor(self._address, _DLDevice(*self.__dlpack_device__()), len(self.shape),
                                   _DLType(code, bits, 1), shape, None, 0)
        managed.deleter = _give_back
        address = ctypes.addressof(managed)
        _given[address] = (managed, shape, self._env)
        return _capsule(address, _GIVEN, None)

    def numpy(self) -> numpy.ndarray:
        """A copy in main memory."""
        result = numpy.empty(self.shape, self.dtype)
        self._env._call("fetch", result.ctypes.data_as(_P), self._address, result.nbytes)
        return result


class DeviceEnv:
    """``count`` plays of one game on a GPU, stepped together: ``VectorEnv(game, count, device="cuda")``.

    Plays that are over begin anew in the next step, whose action counts for nothing. An illegal action is an error before
    anything is done. The arrays are ``mask``, ``rewards``, ``terminated``, ``truncated``, ``player`` (-1 when a play is over),
    ``choices``, the number of legal moves, and ``observations``, as ``observation_spec`` says. A game that hides moves has
    no observations on a device (``observe=False``). A play for which the memory of a thread is too small is truncated.
    Where a game has no action numbers on a device (``num_actions`` 0), actions are the numbers of legal moves, below ``choices``.
    """

    def __init__(self, game: Game, count: int, *, max_moves: int = 10_000, max_actions: int = 1_000_000, observe: bool = True,
                 dtype: str = "float32", layout: str = "NCHW", relative: bool = False, twin: bool = False) -> None:
        self._batch = None
        one_of(dtype, "dtype", ("float32", "bool"))
        one_of(layout, "layout", ("NCHW", "NHWC"))
        self.game, self.num_envs, self._twin = game, whole(count, "count", 1), twin
        whole(max_moves, "max_moves", 1)
        whole(max_actions, "max_actions", 1, 10**9)
        optimized = played(game)
        self._library = ctypes.CDLL(_core.build_for_device(optimized._core, twin))
        get = self._library.rgtrans_get_device
        get.restype, get.argtypes = ctypes.POINTER(_Device), [_U32]
        self._functions = get(_VERSION).contents
        f = self._functions
        self.num_players = int(f.players)
        self.actions = ActionSpace(game, most=max_actions)
        """The numbers of moves; used where they are not factored and short enough."""
        numbered = bool(f.packed) and not self.actions.factored
        self.num_actions = self.actions.size if numbered else 0
        names: List[str] = [f.tag_names[i].decode() for i in range(f.tags)]
        scores = _rewards([f.score_names[i].decode() for i in range(f.scores)])
        given = _numbered(self.actions, names, int(f.most_tags)) if numbered else None
        self._kept = (scores, given)
        self._message = ctypes.create_string_buffer(256)
        table = None
        if given is not None:
            lengths, tags = given
            table = ctypes.byref(_Actions(len(lengths), lengths.ctypes.data, tags.ctypes.data))
        shown = None
        if observe:
            shown = _core.DeviceShown(optimized._core, ctypes.addressof(f), {
                "floats": dtype == "float32", "channels_last": layout == "NHWC", "relative": bool(relative)})
        self._batch = f.open(0, count, 0, max_moves, scores.ctypes.data, table, self._text())
        if not self._batch:
            raise self._error()
        if shown is not None:
            self._call("show", shown.tables)
        arrays = _Arrays()
        f.arrays(self._batch, ctypes.byref(arrays))
        self._actions = DeviceArray(self, arrays.actions, (count,), "int32")
        self.mask = DeviceArray(self, arrays.masks, (count, self.num_actions), "uint8")
        self.rewards = DeviceArray(self, arrays.rewards, (count, self.num_players), "float32")
        self.terminated = DeviceArray(self, arrays.terminated, (count,), "uint8")
        self.truncated = DeviceArray(self, arrays.truncated, (count,), "uint8")
        self.player = DeviceArray(self, arrays.players, (count,), "int32")
        self.choices = DeviceArray(self, arrays.choices, (count,), "int32")
        self.observation_spec: Optional[ObservationSpec] = None
        self.observations: Optional[DeviceArray] = None
        if shown is not None:
            self.observation_spec = spec(shown, dtype, layout)
            self.observations = DeviceArray(self, arrays.observations, (count, *self.observation_spec.shape), dtype)

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Gives the device's memory back. Arrays that others still hold must not be used afterwards."""
        if self._batch:
            self._functions.close(self._batch)
            self._batch = None

    def _text(self) -> _Text:
        return _Text(ctypes.cast(self._message, ctypes.c_char_p), len(self._message))

    def _error(self) -> Error:
        return ArgumentError(self._message.value.decode(), "device", 'device="cpu" plays the same game on the processor')

    def _call(self, name: str, *arguments: Any) -> None:
        if not self._batch:
            raise ArgumentError("this environment is closed", "device")
        result = getattr(self._functions, name)(self._batch, *arguments, self._text())
        if result < 0:
            raise ArgumentError(self._message.value.decode(), "actions")
        if result == 0:
            raise self._error()

    def _infos(self) -> Dict[str, Any]:
        return {"action_mask": self.mask, "player": self.player, "choices": self.choices}

    def reset(self, seed: int = 0) -> Tuple[Optional[DeviceArray], Dict[str, Any]]:
        """Begins all plays anew: play i has the random numbers of ``seed`` and i."""
        self._call("reset", whole(seed, "seed", 0, 2**64 - 1))
        return self.observations, self._infos()

    def step(self, actions: Any) -> Tuple[Optional[DeviceArray], DeviceArray, DeviceArray, DeviceArray, Dict[str, Any]]:
        """Makes a move in every play. ``actions`` are what :meth:`sample` gave, or anything that NumPy makes an array of, or an
        array of the device that has ``__dlpack__``, of 32-bit integers: it is read where it lies."""
        if actions is not self._actions:
            self._store(actions)
        self._call("step", 0 if self.num_actions else 1)
        return self.observations, self.rewards, self.terminated, self.truncated, self._infos()

    def _store(self, actions: Any) -> None:
        taken = _Taken(actions) if hasattr(actions, "__dlpack__") and not isinstance(actions, numpy.ndarray) else None
        if taken is None:
            array = numpy.ascontiguousarray(integers(actions), dtype=numpy.int32)
            shape, address = array.shape, array.ctypes.data
        else:
            shape, address = taken.shape, taken.address
        try:
            if shape != (self.num_envs,):
                raise ArgumentError(f"actions must have the shape ({self.num_envs},), not {shape}", "actions")
            if taken is not None and (taken.kind != _TYPES["int32"] or taken.strides not in (None, (1,))):
                raise ArgumentError("actions must be 32-bit integers that lie one after the other", "actions",
                                    "in PyTorch: actions.to(torch.int32).contiguous()")
            self._call("store", self._actions._address, address, 4 * self.num_envs)
        finally:
            if taken is not None:
                taken.give_back()

    def observe(self, player: int) -> DeviceArray:
        """What a player observes in each play, whoever is to move: in ``observations``, until the next step."""
        if self.observations is None:
            raise ArgumentError("this environment has no observations", "observe")
        self._call("observe", whole(player, "player", 0, self.num_players - 1))
        return self.observations

    def sample(self) -> DeviceArray:
        """Uniform legal actions, as an array of the device that the next call changes."""
        self._call("sample")
        return self._actions

    def random_steps(self, steps: int) -> Tuple[int, float]:
        """``steps`` steps with uniform legal moves. Returns how many moves were made, and the seconds of the device."""
        moves, seconds = _U64(), ctypes.c_double()
        self._call("random_steps", steps, ctypes.byref(moves), ctypes.byref(seconds))
        return moves.value, seconds.value


def _rewards(scores: Sequence[str]) -> numpy.ndarray:
    """Between -1, the lowest score of the game, and 1, the highest."""
    values = numpy.nan_to_num([_core.score_number(score) for score in scores])
    low, high = values.min(), values.max()
    return (numpy.zeros_like(values) if low == high else 2 * (values - low) / (high - low) - 1).astype(numpy.float32)


def _numbered(actions: ActionSpace, names: Sequence[str], most: int) -> Tuple[numpy.ndarray, numpy.ndarray]:
    number = {name: i for i, name in enumerate(names) if i > 0}
    never = (1 << max((len(names) - 1).bit_length(), 1)) - 1  # a tag that the played game has not
    lengths: List[int] = []
    tags: List[int] = []
    for text in actions:
        known = [number.get(tag) for tag in text.split()]
        if None in known or len(known) > most:
            known = [never] * most
        lengths.append(len(known))
        tags.extend(tag for tag in known if tag is not None)
    return numpy.array(lengths, numpy.uint32), numpy.array(tags or [0], numpy.uint32)
