// rgtrans ground: a description without variables, by the language that writes such a form.
#include "cli/command.hpp"
#include "core/support/progress.hpp"
#include "core/support/progress_line.hpp"

namespace rgtrans::cli {

namespace {

constexpr std::string_view kForm = "ground";

struct GroundArguments {
  std::string path;
  std::string output = "-";
  FrontendOptions language;
  ShowProgress progress = ShowProgress::on_terminal;
};

int run(const GroundArguments& options) {
  FileRoles().reads(options.path).writes(options.output, "-o");
  Diagnostics diagnostics;
  const Sources::File& file = add_source(*diagnostics.sources(), options.path);
  ProgressLine progress(options.progress);
  progress.show([&] { return "grounding " + options.path; });
  const struct Silence {
    ~Silence() { listen_to_phases({}); }
  } at_the_end;
  listen_to_phases([&](const std::string& phase, Range) { progress.show([&] { return phase; }); });
  const std::string text = find_form(kForm).form->write(file, diagnostics, options.language);
  progress.clear();
  diagnostics.throw_if_errors();
  show(diagnostics.all(), *diagnostics.sources(), false);
  write_file(options.output, text);
  return kSuccess;
}

}  // namespace

const Command kGround = {
    "ground", "write a GDL description without variables", "rgtrans ground -o ground.kif game.kif",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<GroundArguments>();
      app.add_option("FILE", options->path, "the description, or - for standard input")->required()->type_name("");
      app.add_option("-o,--output", options->output, "file to write, by default standard output")->type_name("FILE");
      for (const LanguageOption& option : find_form(kForm).form->options)
        app.add_language_option(option, options->language);
      add_progress(app, options->progress);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
