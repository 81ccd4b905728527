// rgtrans translate, the default command: any language in, RG (or another form of the same game) out.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/emit.hpp"
#include "cli/parts.hpp"
#include "core/support/clock.hpp"

namespace rgtrans::cli {

namespace {

struct TranslateArguments {
  GameArguments game;
  OptimizerArguments optimizer;
  std::string to;
  std::string output = "-";
  ProjectArguments project;
  bool times = false;
};

// The processor time of each part of the work.
class Times {
 public:
  void add(const char* what) {
    const double now = processor_seconds();
    text_ += fmt::format("{}{} {:.3f} s", text_.empty() ? "" : ", ", what, now - last_);
    last_ = now;
  }
  void print() const { fmt::print(stderr, "processor time: {}\n", text_); }

 private:
  std::string text_;
  double last_ = processor_seconds();
};

// Writes a form that a language produces from its descriptions without a game.
void write_form(const FoundForm& found, TranslateArguments& options) {
  const std::string& rewrite = options.game.frontend.stop_after = options.optimizer.stop_after;
  if (!rewrite.empty()) {
    const auto known =
        found.language->rewrites == nullptr ? std::span<const NamedRewrite>() : found.language->rewrites();
    if (std::ranges::find(known, rewrite, &NamedRewrite::name) == known.end())
      throw UsageError(fmt::format("--stop-after {}: {} has no rewrite of this name; rgtrans passes lists them",
                                   rewrite, found.language->name));
  }
  Diagnostics diagnostics;
  const Sources::File& file = add_source(*diagnostics.sources(), options.game.path);
  if (&frontend_for(options.game.language, file.name, file.text) != found.language)
    throw UsageError(fmt::format("--to {} needs a description in {}", options.to, found.language->name));
  check_options(*found.language, options.game.frontend);
  const std::string text = found.form->write(file, diagnostics, options.game.frontend);
  diagnostics.throw_if_errors();
  write_file(options.output, text);
}

int run(TranslateArguments& options) {
  if (options.to.empty()) options.to = form_by_name(options.output, {"json", "dot", "svg", "wasm"}, "rg");
  const OutputForm* const form = find_output(options.to);
  if (form != nullptr && form->text == nullptr) here(form->project);
  const bool project = form != nullptr && form->project != nullptr;
  if (project && options.output == "-")
    throw UsageError(fmt::format("--to {} writes several files: name a folder with -o", options.to));
  if (!project && options.project.named())
    throw UsageError("--namespace, --prefix and --licence are for --to cpp and --to cuda");
  if (!project && options.to != "plan" && !options.project.without.empty())
    throw UsageError("--without is for --to cpp, --to cuda and --to plan");
  options.project.complete(options.game.path);
  options.game.frontend.verify_each = options.optimizer.verify_each;
  FileRoles files = options.game.files();
  options.optimizer.name_files(files);
  if (!project) files.writes(options.output, "-o");
  if (const FoundForm found = find_form(options.to); found.form != nullptr) {
    write_form(found, options);
    return kSuccess;
  }
  static std::deque<ir::Game> kept;  // to the end of the process, see main()
  GameOrigin origin;
  Times times;
  options.game.frontend.claims = options.optimizer.assert_proofs > 0;
  ir::Game& game = kept.emplace_back(options.game.load(false, &origin));
  times.add("reading");
  options.optimizer.run(game);
  if (options.optimizer.assert_proofs > 0)
    here(parts().assert_proofs)(game, options.game, options.optimizer.assert_proofs);
  times.add("optimizing");
  if (project) {
    form->project(game, options.to, options.project, options.output, files);
  } else {
    write_file(options.output, emit(game, options.to, origin, options.project));
  }
  times.add("writing");
  if (options.times) times.print();
  return kSuccess;
}

}  // namespace

const Command kTranslate = {
    "translate", "translate a game (the default command)", "rgtrans --from rbg --to json -O2 -o chess.json chess.rbg",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<TranslateArguments>();
      options->game.add_to(app);
      options->optimizer.asserts = true;
      options->optimizer.add_to(app, 2);
      std::vector<std::string> forms;
      for (const OutputForm& form : parts().forms) forms.emplace_back(form.name);
      for (const Frontend* frontend : frontends()) {
        for (const TextForm& form : frontend->forms) forms.emplace_back(form.name);
      }
      app.add_option("--to", options->to,
                     fmt::format("form to write: {}; by default the name of the output decides, else rg",
                                 fmt::join(forms, ", ")))
          ->one_of(forms)
          ->type_name("FORM");
      app.add_option("-o,--output", options->output,
                     "file to write (--to cpp, --to cuda: the folder), by default standard output")
          ->type_name("FILE");
      options->project.add_to(app);
      app.add_flag("--times", options->times, "print how long reading, optimizing and writing took, on standard error");
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
