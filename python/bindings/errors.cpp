// rgtrans::Error becomes rgtrans.Error with its diagnostics (ProofError the one of that name). A wrong argument of the
// builder of line games, and a refusal of a device, become rgtrans.ArgumentError, which is a ValueError. The Python
// classes live in rgtrans/_errors.py.
#include "backends/cuda/cuda.hpp"
#include "bindings/bindings.hpp"
#include "core/support/proof_error.hpp"
#include "core/support/support.hpp"
#include "frontends/linegames/linegames.hpp"

namespace py = pybind11;

namespace rgtrans::python {
namespace {

// A quotation from a file need not be UTF-8.
py::str to_python(const std::string& text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

void raise(const char* name, const py::tuple& arguments) {
  const py::object type = py::module_::import("rgtrans._errors").attr(name);
  PyErr_SetObject(type.ptr(), type(*arguments).ptr());
}

void translate(std::exception_ptr exception) {
  try {
    if (exception) std::rethrow_exception(exception);
  } catch (const linegames::ArgumentError& error) {
    const Diagnostic& first = error.diagnostics().front();
    raise("ArgumentError", py::make_tuple(to_python(first.message), error.parameter(), to_python(first.hint)));
  } catch (const cuda::Refusal& error) {
    const Diagnostic& first = error.diagnostics().front();
    raise("ArgumentError", py::make_tuple(to_python(first.message), error.parameter(), to_python(first.hint)));
  } catch (const Error& error) {
    const Sources none;
    const Sources& sources = error.sources() ? *error.sources() : none;
    const bool proof = dynamic_cast<const ProofError*>(&error) != nullptr;
    raise(proof ? "ProofError" : "Error", py::make_tuple(to_python(render(error.diagnostics(), sources)),
                                                         to_python(render_json(error.diagnostics(), sources))));
  }
}

}  // namespace

void bind_errors(py::module_& /*module*/) { py::register_exception_translator(translate); }

}  // namespace rgtrans::python
