// The page of --html-trace. Each step carries a drawing of the automaton before and after as rows of nodes in layers
// (distance from `begin`, then from the starts of checks); the page's own few lines of script draw it as SVG and show
// the difference. Large automata are cut to the neighbourhood of what changed.
#include "cli/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <unordered_map>

namespace rgtrans::cli {

namespace {

using nlohmann::json;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Lines that only one of two texts has, with - and +.
std::string difference_of(const std::string& before, const std::string& after) {
  const auto old_lines = lines_of(before);
  const auto new_lines = lines_of(after);
  std::unordered_map<std::string, int> balance;
  for (const auto& line : old_lines) ++balance[line];
  for (const auto& line : new_lines) --balance[line];
  std::string text;
  for (const auto& line : old_lines) {
    if (balance[line] <= 0) continue;
    --balance[line];
    text += "- " + line + "\n";
  }
  for (const auto& line : new_lines) {
    if (balance[line] >= 0) continue;
    ++balance[line];
    text += "+ " + line + "\n";
  }
  return text;
}

struct DrawnEdge {
  std::string source, target, label;
  auto operator<=>(const DrawnEdge&) const = default;
};

// The edges of a printed game: lines of the form "a, b: label;".
std::vector<DrawnEdge> edges_of(const std::string& text) {
  std::vector<DrawnEdge> edges;
  for (const std::string& line : lines_of(text)) {
    const std::size_t comma = line.find(", ");
    const std::size_t colon = line.find(':');
    if (comma == std::string::npos || colon == std::string::npos || comma > colon || line.empty() || line.back() != ';')
      continue;
    if (line.find_first_of(" @{") < comma) continue;
    std::string label = line.substr(colon + 1, line.size() - colon - 2);
    label.erase(0, label.find_first_not_of(' '));
    edges.push_back({line.substr(0, comma), line.substr(comma + 2, colon - comma - 2), label});
  }
  return edges;
}

// Only what touches a changed edge when the whole would be unreadable.
std::string drawing(const std::vector<DrawnEdge>& edges, const std::set<DrawnEdge>& other) {
  constexpr std::size_t kMostDrawn = 160;
  std::set<std::string> near;
  for (const DrawnEdge& e : edges) {
    if (other.contains(e)) continue;
    near.insert(e.source);
    near.insert(e.target);
  }
  json rows = json::array();
  const bool all = edges.size() <= kMostDrawn;
  for (const DrawnEdge& e : edges) {
    const bool changed = !other.contains(e);
    if (!all && !changed && !(near.contains(e.source) && near.contains(e.target))) continue;
    if (rows.size() >= 2 * kMostDrawn) break;
    rows.push_back({e.source, e.target, e.label, changed ? 1 : 0});
  }
  return rows.dump();
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

constexpr const char* kPage = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>@TITLE@</title><style>
body{font:14px/1.4 sans-serif;margin:0;display:grid;grid-template-columns:19em 1fr;height:100vh}
nav{overflow:auto;border-right:1px solid #ccc;padding:.5em}nav button{display:block;width:100%;text-align:left;border:0;background:none;padding:.25em .4em;cursor:pointer;font:inherit}
nav button.on{background:#dbe9ff}main{overflow:auto;padding:1em}h1{font-size:1.1em;margin:.2em 0}h2{font-size:1em;margin:1em 0 .3em}
pre{background:#f6f6f6;padding:.6em;overflow:auto;max-height:18em}.minus{color:#a00}.plus{color:#070}
.two{display:grid;grid-template-columns:1fr 1fr;gap:1em}.two>div{overflow:auto;border:1px solid #ddd;max-height:32em}
svg text{font:11px sans-serif}</style></head><body>
<nav><h1>@TITLE@</h1><p>Keys: left and right arrow.</p><div id="list"></div></nav>
<main><h1 id="name"></h1><p id="help"></p><h2>Lines</h2><pre id="diff"></pre>
<h2>Automaton</h2><div class="two"><div id="before"></div><div id="after"></div></div></main>
<script>
const steps=@STEPS@;let at=0;const $=id=>document.getElementById(id);
function draw(rows,colour){const out=new Map(),inn=new Map(),nodes=new Set();
 for(const [a,b] of rows){nodes.add(a);nodes.add(b);if(!out.has(a))out.set(a,[]);out.get(a).push(b);inn.set(b,1);}
 const layer=new Map(),queue=[];const start=n=>{if(!layer.has(n)){layer.set(n,0);queue.push(n);}};
 if(nodes.has('begin'))start('begin');for(const n of nodes)if(!inn.has(n))start(n);
 for(const n of nodes){start(queue.length?n:n);while(queue.length){const q=queue.shift();for(const m of out.get(q)||[])if(!layer.has(m)){layer.set(m,layer.get(q)+1);queue.push(m);}}}
 const place=new Map(),used=[];for(const n of nodes){const l=layer.get(n);used[l]=(used[l]||0);place.set(n,[20+used[l]*150,24+l*56]);used[l]++;}
 const w=Math.max(...used.filter(x=>x),1)*150+60,h=used.length*56+30,ns='http://www.w3.org/2000/svg';
 const svg=document.createElementNS(ns,'svg');svg.setAttribute('width',w);svg.setAttribute('height',h);
 const add=(t,o,text)=>{const e=document.createElementNS(ns,t);for(const k in o)e.setAttribute(k,o[k]);if(text)e.textContent=text;svg.appendChild(e);return e;};
 const bend=new Map();for(const [a,b,l,c] of rows){const [x,y]=place.get(a),[u,v]=place.get(b),k=a+'>'+b,i=bend.get(k)||0;bend.set(k,i+1);
  const mx=(x+u)/2+i*34+(v<=y?46:0),my=(y+v)/2;add('path',{d:`M${x} ${y}Q${mx} ${my} ${u} ${v}`,fill:'none',stroke:c?colour:'#888','stroke-width':c?2:1});
  const dx=u-mx,dy=v-my,n=Math.hypot(dx,dy)||1,px=u-dx/n*9,py=v-dy/n*9;add('circle',{cx:px,cy:py,r:2.5,fill:c?colour:'#888'});
  add('text',{x:(x+2*mx+u)/4+4,y:(y+2*my+v)/4,fill:c?colour:'#333'},l);}
 for(const n of nodes){const [x,y]=place.get(n);add('circle',{cx:x,cy:y,r:6,fill:n=='begin'||n=='end'?'#ffd978':'#fff',stroke:'#333'});add('text',{x:x+9,y:y-7,fill:'#36c'},n);}
 return svg;}
function show(i){at=Math.max(0,Math.min(steps.length-1,i));const s=steps[at];if(!s)return;
 $('name').textContent=`${s.number}. ${s.pass}: ${s.changes} changes, now ${s.nodes} nodes, ${s.edges} edges`;$('help').textContent=s.help;
 $('diff').replaceChildren(...s.difference.split('\n').map(l=>{const d=document.createElement('div');d.textContent=l;d.className=l[0]=='-'?'minus':l[0]=='+'?'plus':'';return d;}));
 $('before').replaceChildren(draw(s.before,'#c00'));$('after').replaceChildren(draw(s.after,'#080'));
 [...$('list').children].forEach((b,k)=>b.className=k==at?'on':'');}
steps.forEach((s,i)=>{const b=document.createElement('button');b.textContent=`${s.number}. ${s.pass}`;b.onclick=()=>show(i);$('list').appendChild(b);});
addEventListener('keydown',e=>{if(e.key=='ArrowRight')show(at+1);if(e.key=='ArrowLeft')show(at-1);});show(0);
</script></body></html>
)html";

}  // namespace

void HtmlTrace::add(const passes::PassEvent& event) {
  const std::string before = event.before != nullptr ? print_(*event.before) : "";
  const std::string after = print_(event.after);
  const auto old_edges = edges_of(before);
  const auto new_edges = edges_of(after);
  changes_.push_back({std::string(event.pass.name), std::string(event.pass.help), difference_of(before, after),
                      drawing(old_edges, {new_edges.begin(), new_edges.end()}),
                      drawing(new_edges, {old_edges.begin(), old_edges.end()}), event.number, event.changes,
                      event.after.graph.node_count(), event.after.graph.edge_count()});
}

std::string HtmlTrace::page() const {
  std::string steps = "[";
  for (const Change& s : changes_) {
    if (steps.size() > 1) steps += ",\n";
    const json head = {{"pass", s.pass},     {"help", s.help},       {"difference", s.difference},
                       {"number", s.number}, {"changes", s.changes}, {"nodes", s.nodes},
                       {"edges", s.edges}};
    std::string text = head.dump();
    text.pop_back();
    steps += text + ",\"before\":" + s.before + ",\"after\":" + s.after + "}";
  }
  steps += "]";
  std::string page = kPage;
  boost::algorithm::replace_all(steps, "</", "<\\/");  // text inside a script element must not close it
  boost::algorithm::replace_all(page, "@TITLE@", escaped(title_));
  boost::algorithm::replace_all(page, "@STEPS@", steps);
  return page;
}

}  // namespace rgtrans::cli
