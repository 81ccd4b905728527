// Each drawing is in the page once, as a template; a step names the two that it shows and the elements that differ. Of
// large automata only the neighbourhood of what changed is drawn.
#include "backends/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "backends/drawing/drawing.hpp"
#include "backends/rg/rg.hpp"
#include "core/support/text.hpp"

namespace rgtrans::trace {

namespace {

using nlohmann::json;

constexpr std::size_t kMostDrawn = 400;  // edges

// By edge: what the text says of it. Dead edges have none.
std::vector<std::string> edge_texts(const ir::Game& game) {
  const std::vector<std::string> names = game.node_names();
  std::vector<std::string> texts(game.graph.edge_bound());
  for (const ir::EdgeId edge : game.graph.edges()) {
    texts[edge.value] =
        fmt::format("{}, {}: {}", names[game.graph.source(edge).value], names[game.graph.target(edge).value],
                    rg::print_label(game, game.graph.label(edge), names));
  }
  return texts;
}

// By edge: whether the other game has none like it.
std::vector<bool> changed_edges(const ir::Game& game, const std::vector<std::string>& texts,
                                const std::vector<std::string>& other) {
  std::unordered_map<std::string_view, std::size_t> left;
  for (const std::string& text : other) ++left[text];
  std::vector<bool> changed(texts.size());
  for (const ir::EdgeId edge : game.graph.edges()) {
    auto it = left.find(texts[edge.value]);
    changed[edge.value] = it == left.end() || it->second == 0;
    if (!changed[edge.value]) --it->second;
  }
  return changed;
}

// The texts of the edges of this game and of the other one.
ShownChange::Picture draw(const ir::Game& game, const std::vector<std::string>& texts,
                          const std::vector<std::string>& other, bool whole) {
  const std::vector<bool> changed = changed_edges(game, texts, other);
  std::function<bool(ir::EdgeId)> filter;
  std::vector<bool> near(game.graph.node_bound());
  if (!whole) {
    for (const ir::EdgeId edge : game.graph.edges()) {
      if (changed[edge.value]) near[game.graph.source(edge).value] = near[game.graph.target(edge).value] = true;
    }
    std::size_t drawn = 0;
    filter = [&, drawn](ir::EdgeId edge) mutable {
      const bool wanted = near[game.graph.source(edge).value] || near[game.graph.target(edge).value];
      return wanted && drawn++ < kMostDrawn;
    };
  }
  drawing::Drawing drawing = drawing::fold(game, filter);
  drawing::lay_out(drawing);
  ShownChange::Picture picture;
  const std::vector<ir::EdgeId> edges = drawing::edges_in(drawing);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (changed[edges[i].value]) picture.changed.push_back(i);
  }
  picture.svg = drawing::svg(drawing);
  return picture;
}

constexpr std::string_view kPage = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>@TITLE@</title><style>
body{font:14px/1.45 system-ui,sans-serif;margin:0;color:#1d2733;display:grid;grid-template-columns:17em minmax(0,1fr);height:100vh}
nav{overflow:auto;border-right:1px solid #d5dbe3;padding:.8em;background:#f6f8fa}nav h1{font-size:1.05em;margin:0 0 .5em}
nav button{display:block;width:100%;text-align:left;border:0;background:none;padding:.2em .5em;cursor:pointer;font:inherit;border-radius:4px}
nav button.on{background:#cfe2ff}nav small{float:right;color:#6d7b8c}
main{display:grid;grid-template-rows:auto minmax(0,1fr) auto;overflow:hidden;padding:.8em 1em;gap:.6em}
h2{font-size:1.05em;margin:0}p{margin:.2em 0}.two{display:grid;grid-template-columns:1fr 1fr;gap:1em;min-height:0}
figure{margin:0;display:flex;flex-direction:column;min-height:0;min-width:0}figcaption{font-weight:600;padding-bottom:.3em}
figure>div{overflow:auto;border:1px solid #d5dbe3;border-radius:6px;flex:1;padding:.4em}
pre{background:#f6f8fa;border-radius:6px;padding:.6em;overflow:auto;max-height:11em;margin:.4em 0 0;font-size:12px}.minus{color:#a11}.plus{color:#17692b}
#before text.x{fill:#b00;font-weight:bold}#after text.x{fill:#0a6b25;font-weight:bold}#before .x path{stroke:#b00;stroke-width:2}#after .x path{stroke:#0a6b25;stroke-width:2}
@media(max-width:800px){body{display:block}nav{max-height:9em}main{display:block}.two{grid-template-columns:1fr}figure>div{max-height:24em}}
</style></head><body>
<nav><h1>@TITLE@</h1><p>Keys: ← and →</p><div id="list"></div></nav>
<main><div><h2 id="name"></h2><p id="help"></p></div>
<div class="two"><figure><figcaption>Before</figcaption><div id="before"></div></figure><figure><figcaption>After</figcaption><div id="after"></div></figure></div>
<details open><summary>Lines that differ</summary><pre id="diff"></pre></details></main>
@DRAWINGS@<script>
const steps=@STEPS@;let at=0;const $=id=>document.getElementById(id);
const count=(n,what)=>n+' '+what+(n==1?'':'s');
function draw(place,shown){const box=$(place);box.replaceChildren($('d'+shown.drawing).content.cloneNode(true));
 const parts=box.querySelectorAll('.e');let first;for(const i of shown.changed)if(parts[i]){parts[i].classList.add('x');first=first||parts[i];}
 if(first){const b=box.getBoundingClientRect(),r=first.getBoundingClientRect();box.scrollTop+=r.top-b.top-b.height/3;box.scrollLeft+=r.left-b.left-b.width/3;}}
function show(i){at=Math.max(0,Math.min(steps.length-1,i));const s=steps[at];if(!s){$('name').textContent='Nothing changed.';return;}
 $('name').textContent=`${s.number}. ${s.pass}: ${count(s.changes,'change')}, now ${count(s.nodes,'node')} and ${count(s.edges,'edge')}`;
 $('help').textContent=s.help+(s.part?' The automaton is large: what changed is shown with its neighbours.':'');
 $('diff').replaceChildren(...s.difference.split('\n').map(l=>{const d=document.createElement('div');d.textContent=l;d.className=l[0]=='-'?'minus':l[0]=='+'?'plus':'';return d;}));
 draw('before',s.before);draw('after',s.after);
 [...$('list').children].forEach((b,k)=>{b.className=k==at?'on':'';if(k==at)b.scrollIntoView({block:'nearest'});});}
steps.forEach((s,i)=>{const b=document.createElement('button'),n=document.createElement('small');b.textContent=`${s.number}. ${s.pass}`;n.textContent=s.edges;n.title='edges';b.append(n);b.onclick=()=>show(i);$('list').append(b);});
addEventListener('keydown',e=>{if(e.key=='ArrowRight')show(at+1);if(e.key=='ArrowLeft')show(at-1);});show(0);
</script></body></html>
)html";

}  // namespace

ShownChange change_of(const passes::PassEvent& event) {
  const ir::Game empty;
  const ir::Game& before = event.before != nullptr ? *event.before : empty;
  const bool whole = std::max(before.graph.edge_count(), event.after.graph.edge_count()) <= kMostDrawn;
  const std::vector<std::string> old_texts = edge_texts(before);
  const std::vector<std::string> new_texts = edge_texts(event.after);
  return {.difference = line_difference(rg::print(before), rg::print(event.after)),
          .before = draw(before, old_texts, new_texts, whole),
          .after = draw(event.after, new_texts, old_texts, whole),
          .part = !whole};
}

Page::Shown Page::share(ShownChange::Picture&& picture) {
  const auto same = std::ranges::find(drawings_, picture.svg);
  Shown shown{static_cast<std::size_t>(same - drawings_.begin()), std::move(picture.changed)};
  if (same == drawings_.end()) drawings_.push_back(std::move(picture.svg));
  return shown;
}

void Page::add(const passes::PassEvent& event) {
  ShownChange change = change_of(event);
  Step step{.pass = std::string(event.pass.name),
            .help = std::string(event.pass.help),
            .difference = std::move(change.difference),
            .number = event.number,
            .changes = event.changes,
            .nodes = event.after.graph.node_count(),
            .edges = event.after.graph.edge_count(),
            .before = share(std::move(change.before)),
            .after = share(std::move(change.after)),
            .part = change.part};
  steps_.push_back(std::move(step));
}

std::string Page::html() const {
  json steps = json::array();
  auto shown = [](const Shown& s) { return json{{"drawing", s.drawing}, {"changed", s.changed}}; };
  for (const Step& s : steps_) {
    steps.push_back({{"pass", s.pass},
                     {"help", s.help},
                     {"difference", s.difference},
                     {"number", s.number},
                     {"changes", s.changes},
                     {"nodes", s.nodes},
                     {"edges", s.edges},
                     {"before", shown(s.before)},
                     {"after", shown(s.after)},
                     {"part", s.part}});
  }
  std::string data = steps.dump();
  boost::algorithm::replace_all(data, "</", "<\\/");  // text inside a script element must not close it
  std::string drawings;
  for (std::size_t i = 0; i < drawings_.size(); ++i) {
    drawings += fmt::format("<template id=\"d{}\">{}</template>\n", i, drawings_[i]);
  }
  std::string page(kPage);
  boost::algorithm::replace_all(page, "@TITLE@", xml_escaped(title_));
  boost::algorithm::replace_first(page, "@DRAWINGS@", drawings);
  boost::algorithm::replace_last(page, "@STEPS@", data);
  return page;
}

}  // namespace rgtrans::trace
