// Batches of plays on a device. Their arrays are handed on, and taken, through DLPack.
#include <dlpack/dlpack.h>
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "backends/cuda/cuda.hpp"
#include "bindings/bindings.hpp"
#include "bindings/env.hpp"
#include "bindings/game.hpp"

namespace py = pybind11;

namespace rgtrans::python {

namespace {

using cuda::DeviceArray;
using cuda::DeviceBatch;
using Element = DeviceArray::Element;

constexpr const char* kGiven = "dltensor";       // the name of a capsule whose tensor nobody took yet
constexpr const char* kTaken = "used_dltensor";  // of one whose tensor has another owner

constexpr int kLegacyStream = 1;  // the stream of every request here

// An array of a batch, which lives as long as somebody holds the array.
struct SharedArray {
  std::shared_ptr<DeviceBatch> batch;
  DeviceArray array;
};

DLDevice device_of(const DeviceBatch& batch) { return {batch.target() == cuda::Target::twin ? kDLCPU : kDLCUDA, 0}; }

const char* name_of(Element element) {
  switch (element) {
    case Element::int32:
      return "int32";
    case Element::uint8:
      return "uint8";
    case Element::float32:
      return "float32";
    case Element::boolean:
      return "bool";
  }
  return "";
}

DLDataType type_of(Element element) {
  switch (element) {
    case Element::int32:
      return {kDLInt, 32, 1};
    case Element::float32:
      return {kDLFloat, 32, 1};
    case Element::uint8:
    case Element::boolean:
      return {kDLUInt, 8, 1};  // not every library knows truths
  }
  return {};
}

// --- Arrays that others take. ---

struct GivenTensor {
  DLManagedTensor managed{};
  SharedArray held;
};

// Frees a tensor that nobody took, with its capsule.
void drop(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, kGiven) == 0) return;
  auto* const managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kGiven));
  managed->deleter(managed);
}

// A consumer that works in a stream of its own gets the array when it is written.
py::object give(const SharedArray& shared, const py::object& stream) {
  const bool waits =
      !stream.is_none() && stream.cast<std::int64_t>() != kLegacyStream && stream.cast<std::int64_t>() != -1;
  if (waits && shared.batch->target() == cuda::Target::gpu) {
    const py::gil_scoped_release unlocked;
    shared.batch->wait();
  }
  auto given = std::make_unique<GivenTensor>();
  given->held = shared;
  DeviceArray& array = given->held.array;
  given->managed.dl_tensor = {array.data,
                              device_of(*shared.batch),
                              static_cast<int>(array.shape.size()),
                              type_of(array.element),
                              array.shape.data(),
                              nullptr,
                              0};
  given->managed.manager_ctx = given.get();
  given->managed.deleter = [](DLManagedTensor* self) { delete static_cast<GivenTensor*>(self->manager_ctx); };
  PyObject* const capsule = PyCapsule_New(&given->managed, kGiven, drop);
  if (capsule == nullptr) throw py::error_already_set();
  static_cast<void>(given.release());  // it belongs to the capsule
  return py::reinterpret_steal<py::object>(capsule);
}

py::array fetch(const SharedArray& shared) {
  py::array result(py::dtype(name_of(shared.array.element)), shared.array.shape);
  void* const to = result.mutable_data();
  const py::gil_scoped_release unlocked;
  shared.batch->fetch(to, shared.array);
  return result;
}

// --- Arrays of others. ---

class TakenTensor {
 public:
  explicit TakenTensor(const py::object& array) {
    const auto device = array.attr("__dlpack_device__")().cast<std::pair<int, int>>();
    const py::object capsule = device.first == kDLCUDA ? array.attr("__dlpack__")(py::arg("stream") = kLegacyStream)
                                                       : array.attr("__dlpack__")();
    managed_ = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), kGiven));
    if (managed_ == nullptr || PyCapsule_SetName(capsule.ptr(), kTaken) != 0) throw py::error_already_set();
  }
  TakenTensor(const TakenTensor&) = delete;
  TakenTensor& operator=(const TakenTensor&) = delete;
  ~TakenTensor() {
    if (managed_->deleter != nullptr) managed_->deleter(managed_);
  }

  [[nodiscard]] const DLTensor& operator*() const { return managed_->dl_tensor; }

 private:
  DLManagedTensor* managed_ = nullptr;
};

// Actions of somebody else, read where they lie.
void take(DeviceBatch& batch, const py::object& actions) {
  const TakenTensor taken(actions);
  const DLTensor& tensor = *taken;
  const std::int64_t count = batch.arrays().actions.shape.front();
  if (tensor.ndim != 1 || tensor.shape[0] != count) {
    const std::vector<std::int64_t> shape(tensor.shape, tensor.shape + tensor.ndim);
    throw cuda::Refusal("actions", fmt::format("actions must have the shape ({},), not ({}{})", count,
                                               fmt::join(shape, ", "), shape.size() == 1 ? "," : ""));
  }
  const bool integers = tensor.dtype.code == kDLInt && tensor.dtype.bits == 32 && tensor.dtype.lanes == 1;
  if (!integers || (tensor.strides != nullptr && tensor.strides[0] != 1)) {
    throw cuda::Refusal("actions", "actions must be 32-bit integers that lie one after the other",
                        "in PyTorch: actions.to(torch.int32).contiguous()");
  }
  const auto* const from = static_cast<const std::byte*>(tensor.data) + tensor.byte_offset;
  const py::gil_scoped_release unlocked;
  batch.store(from);
}

void store(DeviceBatch& batch, const py::array_t<std::int32_t, py::array::c_style>& actions) {
  if (actions.size() * static_cast<py::ssize_t>(sizeof(std::int32_t)) !=
      static_cast<py::ssize_t>(batch.arrays().actions.bytes()))
    throw py::value_error("there must be an action for each play");
  const std::int32_t* const from = actions.data();
  const py::gil_scoped_release unlocked;
  batch.store(from);
}

std::shared_ptr<DeviceBatch> open(const Game& game, const analysis::ActionSpace& actions, bool twin, bool observe,
                                  const py::dict& given) {
  env::BatchOptions options = shown_as(given);
  options.count = given["count"].cast<std::size_t>();
  options.most_moves = given["max_moves"].cast<std::uint32_t>();
  const py::gil_scoped_release unlocked;
  return std::make_shared<DeviceBatch>(*game.game, actions, twin ? cuda::Target::twin : cuda::Target::gpu, options,
                                       observe);
}

py::dict arrays_of(const std::shared_ptr<DeviceBatch>& batch) {
  const DeviceBatch::Arrays& arrays = batch->arrays();
  py::dict result;
  const auto add = [&](const char* name, const DeviceArray& array) {
    if (!array.shape.empty()) result[name] = SharedArray{batch, array};
  };
  add("actions", arrays.actions);
  add("mask", arrays.mask);
  add("rewards", arrays.rewards);
  add("terminated", arrays.terminated);
  add("truncated", arrays.truncated);
  add("player", arrays.player);
  add("choices", arrays.choices);
  add("observations", arrays.observations);
  return result;
}

}  // namespace

void bind_device(py::module_& module) {
  using Unlocked = py::call_guard<py::gil_scoped_release>;
  py::class_<SharedArray> array(module, "DeviceArray",
                                "An array in the memory of a device. ``torch.from_dlpack(array)`` shares it; "
                                ":meth:`numpy` copies it.");
  array.def_property_readonly("shape", [](const SharedArray& it) { return py::tuple(py::cast(it.array.shape)); })
      .def_property_readonly("dtype", [](const SharedArray& it) { return name_of(it.array.element); })
      .def("numpy", &fetch, "A copy in main memory.")
      .def("__dlpack_device__",
           [](const SharedArray& it) {
             const DLDevice device = device_of(*it.batch);
             return std::pair(static_cast<int>(device.device_type), device.device_id);
           })
      .def(
          "__dlpack__",
          [](const SharedArray& it, const py::object& stream, const py::kwargs& /*more*/) { return give(it, stream); },
          py::kw_only(), py::arg("stream") = py::none())
      .def("__repr__", [](const SharedArray& it) {
        return fmt::format("<DeviceArray ({}{}) of {}>", fmt::join(it.array.shape, ", "),
                           it.array.shape.size() == 1 ? "," : "", name_of(it.array.element));
      });
  py::class_<DeviceBatch, std::shared_ptr<DeviceBatch>> batch(module, "DeviceBatch");
  bind_observation<DeviceBatch>(
      batch, [](const DeviceBatch& it) -> const env::Observation& { return it.shown()->observation(); });
  batch
      .def(py::init(&open), py::arg("game"), py::arg("actions"), py::arg("twin"), py::arg("observe"),
           py::arg("options"))
      .def_property_readonly("players", &DeviceBatch::players)
      .def_property_readonly("action_count", &DeviceBatch::action_count)
      .def_property_readonly("arrays", &arrays_of)
      .def("close", &DeviceBatch::close, Unlocked())
      .def("reset", &DeviceBatch::reset, Unlocked(), py::arg("seed"))
      .def("step", &DeviceBatch::step, Unlocked())
      .def("sample", &DeviceBatch::sample, Unlocked())
      .def(
          "random_steps",
          [](DeviceBatch& it, std::uint32_t steps) {
            const DeviceBatch::Measured measured = it.random_steps(steps);
            return std::pair(measured.moves, measured.seconds);
          },
          Unlocked(), py::arg("steps"))
      .def("observe", &DeviceBatch::observe, Unlocked(), py::arg("viewer"))
      .def("store", &store, py::arg("actions"))
      .def("take", &take, py::arg("actions"));
}

}  // namespace rgtrans::python
