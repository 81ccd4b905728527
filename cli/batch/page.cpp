// The HTML report. The page contains the records as JSON. Its script builds the table and, for the address #g=OUTPUT,
// the page of one game: automaton, sizes, messages, perft, lengths of playouts.
#include <fmt/format.h>

#include "cli/batch/report.hpp"

namespace rgtrans::batch {

namespace {

constexpr const char* kPage = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>rgtrans batch</title><style>
body{font:14px/1.45 sans-serif;margin:1.2em;color:#222}h1{font-size:1.3em}h2{font-size:1.05em;margin:1.2em 0 .4em}
table{border-collapse:collapse}th,td{padding:.2em .7em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}th{cursor:pointer;position:sticky;top:0;background:#fff;white-space:pre;vertical-align:bottom}
#games td.message{min-width:24em}.board img{width:3.4em;height:3.4em;object-fit:contain;display:block}#games td.board{padding:.1em .4em}
.large img{width:min(24em,100%);height:auto}.wide{overflow-x:auto}img{max-width:100%}
tr:hover td{background:#f3f7ff}.bad{color:#a00}.warn{color:#a60}a{color:#0645ad;text-decoration:none}
pre{background:#f6f6f6;padding:.7em;font-size:12px;white-space:pre-wrap;overflow-wrap:anywhere}form>*{margin:0 1em .6em 0}.draw{overflow:auto;border:1px solid #ddd;max-height:48em}
svg text{font:11px sans-serif}#sum td,#sum th{cursor:default;position:static}
@media(max-width:640px){body{margin:.6em}#games,#games tbody{display:block}#games thead{display:none}td,th{padding:.2em .35em}
#games tr{display:grid;grid-template-columns:4.2em 1fr 1fr;gap:.1em .5em;padding:.5em 0;border-bottom:1px solid #ccc}#games td{border:0;padding:0;text-align:left;min-width:0;overflow-wrap:anywhere}
#games td[data-name]::before{content:attr(data-name) " ";color:#777}#games td:empty{display:none}#games td.game,#games td.message{grid-column:2/-1}#games td.board{grid-row:1/span 9;grid-column:1;padding:0}#games.plain tr{grid-template-columns:1fr 1fr}#games.plain td.game,#games.plain td.message{grid-column:1/-1}}
</style></head><body><main id="all"><h1>Converted games</h1><p id="where"></p><div class="wide"><table id="sum"></table></div><p></p>
<form onsubmit="return false"><input id="q" type="search" placeholder="name or message" aria-label="name or message">
<select id="lang" aria-label="language"></select><select id="stat" aria-label="status"></select><span id="n"></span></form>
<table id="games"><thead></thead><tbody></tbody></table></main><main id="one" hidden></main>
<script type="application/json" id="data">@DATA@</script>
<script>
const games=JSON.parse(document.getElementById('data').textContent).games,$=id=>document.getElementById(id),ns='http://www.w3.org/2000/svg';
const el=(tag,text,cls)=>{const e=document.createElement(tag);if(text!==undefined)e.textContent=text;if(cls)e.className=cls;return e;};
const get=(g,...path)=>path.reduce((o,k)=>o==null?undefined:o[k],g),fixed=(x,d)=>x===undefined?'':x.toFixed(d);
// The common folder of all inputs is shown once.
const folder=games.map(g=>g.input.slice(0,g.input.lastIndexOf('/')+1)).reduce((a,b)=>{while(!b.startsWith(a))a=a.slice(0,a.slice(0,-1).lastIndexOf('/')+1);return a;},games.length?games[0].input:'').replace(/[^\/]*$/,''),
 brief=text=>folder?text.replaceAll(folder,''):text;
const kThumbnails=400,picture=(svg,alt)=>{const i=el('img');i.alt=alt;i.setAttribute('loading','lazy');i.src='data:image/svg+xml,'+encodeURIComponent(svg);return i;};
const columns=[['game',g=>brief(g.input)],['language',g=>g.language],['status',g=>g.status],['nodes',g=>get(g,'stats','nodes')],
 ['edges',g=>get(g,'stats','edges')],['state\nvalues',g=>get(g,'stats','state_size')],
 ['perft\npositions',g=>g.perft&&g.perft[g.perft.length-1]],
 ['length\nmoves',g=>get(g,'playouts','length','mean'),g=>fixed(get(g,'playouts','length','mean'),1)],
 ['branching\nmoves',g=>get(g,'playouts','branching','mean'),g=>fixed(get(g,'playouts','branching','mean'),1)],
 ['seconds',g=>g.seconds,g=>fixed(g.seconds,3)],['message',g=>brief((g.message||g.unfinished||'').split('\n')[0])]];
const meaning={'state\nvalues':'over all variables and cells, how many values each can have','perft\npositions':'after as many moves as were asked for; the page of a game has those before','length\nmoves':'of a random playout, on average',
 'branching\nmoves':'legal in a position of a random playout, on average','seconds':'from the start of the conversion to its end'};
const shown=columns.filter(c=>games.some(g=>{const v=c[1](g);return v!==undefined&&v!=='';})),numeric=c=>games.some(g=>typeof c[1](g)=='number');
const boards=games.length<=kThumbnails&&games.some(g=>g.board);$('games').className=boards?'':'plain';
let by=0,down=false;
function list(){const q=$('q').value.toLowerCase(),l=$('lang').value,s=$('stat').value,c=shown[by];
 const rows=games.filter(g=>(!l||g.language==l)&&(!s||g.status==s)&&(!q||(g.input+' '+(g.message||'')).toLowerCase().includes(q)));
 const rank=v=>v===undefined||v===''?1:0;
 rows.sort((a,b)=>{const x=c[1](a),y=c[1](b),e=rank(x)-rank(y);if(e)return e;const d=x<y?-1:x>y?1:0;return down?-d:d;});
 $('games').tHead.replaceChildren((()=>{const tr=el('tr');shown.forEach((d,i)=>{const th=el('th',d[0]+(i==by?(down?' ▾':' ▴'):''),numeric(d)?'n':'');
  if(meaning[d[0]])th.title=meaning[d[0]];th.onclick=()=>{down=i==by?!down:false;by=i;list();};tr.append(th);});if(boards)tr.append(el('th','board'));return tr;})());
 $('games').tBodies[0].replaceChildren(...rows.map(g=>{const tr=el('tr');shown.forEach((d,i)=>{const td=el('td',undefined,numeric(d)?'n':d[0]=='game'||d[0]=='message'?d[0]:'');
  if(d[0]!='game'&&d[0]!='message'&&d[0]!='status')td.setAttribute('data-name',d[0].split('\n')[0]);
  const text=d[2]?d[2](g):d[1](g);if(i==0){const a=el('a',text);a.href='#g='+encodeURIComponent(g.output);a.title=g.input;td.append(a);}else td.textContent=text===undefined?'':text;
  if(d[0]=='status'&&g.status!='converted')td.className='bad';tr.append(td);});
  if(boards){const td=el('td',undefined,'board');if(g.board)td.append(picture(g.board,'the board'));tr.append(td);}return tr;}));
 $('n').textContent=`${rows.length} of ${games.length} games`;}
function choices(id,name,values){const any=el('option','any '+name);any.value='';$(id).replaceChildren(any,...values.map(v=>{const o=el('option',v);o.value=v;return o;}));$(id).onchange=list;}
const unique=f=>[...new Set(games.map(f))].filter(x=>x).sort();
choices('lang','language',unique(g=>g.language));choices('stat','status',unique(g=>g.status));$('q').oninput=list;
(()=>{const states=unique(g=>g.status),head=el('tr');['language','games',...states,'nodes','edges'].forEach((t,i)=>head.append(el('th',t,i?'n':'')));
 const row=(name,gs)=>{const tr=el('tr');tr.append(el('td',name));const sum=k=>gs.reduce((t,g)=>t+(get(g,'stats',k)||0),0);
  [gs.length,...states.map(s=>gs.filter(g=>g.status==s).length),sum('nodes'),sum('edges')].forEach(n=>tr.append(el('td',n,'n')));return tr;};
 const langs=unique(g=>g.language),rest=games.filter(g=>!g.language);
 $('sum').append(head,...langs.map(l=>row(l,games.filter(g=>g.language==l))),...(rest.length?[row('unknown',rest)]:[]),...(langs.length>1?[row('all',games)]:[]));})();
function bars(h){const top=Math.max(...h.counts),W=16,H=150,svg=document.createElementNS(ns,'svg');svg.setAttribute('width',h.counts.length*W+60);svg.setAttribute('height',H+34);
 h.counts.forEach((c,i)=>{const r=document.createElementNS(ns,'rect'),y=Math.round(c/top*H);for(const [k,v] of Object.entries({x:20+i*W,y:H-y+8,width:W-2,height:y,fill:'#5b8bd0'}))r.setAttribute(k,v);
  const t=document.createElementNS(ns,'title');t.textContent=`${h.first+i*h.width}${h.width>1?' to '+(h.first+(i+1)*h.width-1):''} moves: ${c}`;r.append(t);svg.append(r);
  if(i%8==0||i==h.counts.length-1){const l=document.createElementNS(ns,'text');l.setAttribute('x',20+i*W);l.setAttribute('y',H+24);l.textContent=h.first+i*h.width;svg.append(l);}});return svg;}
function table(rows,numbers){const t=el('table');for(const [k,v] of rows){const tr=el('tr');tr.append(el('td',k),el('td',v,numbers?'n':''));t.append(tr);}return t;}
function page(g){const m=$('one'),back=el('a','← all games');back.href='#';m.replaceChildren(back,el('h1',brief(g.input)));
 const section=(title,...parts)=>m.append(el('h2',title),...parts);
 m.append(table([['read from',g.input],['language',g.language],['status',g.status],['written to',g.status=='converted'?g.output:'nothing'],
  ...(g.seconds===undefined?[]:[['time',fixed(g.seconds,3)+' s, '+fixed(g.cpu_seconds,3)+' s of the processor'],['memory',Math.round(g.peak_memory/1048576)+' MiB']])]));
 if(g.message)section('What went wrong',el('pre',brief(g.message),'bad'));if(g.unfinished)section('Not complete',el('pre',brief(g.unfinished),'bad'));
 const warnings=(g.diagnostics||[]).filter(d=>d.severity=='warning');
 if(warnings.length)section('Warnings',el('pre',warnings.map(d=>`${brief(d.file)}:${d.line}:${d.column}: ${d.message}${d.hint?'\n  hint: '+d.hint:''}`).join('\n'),'warn'));
 if(g.board){const d=el('div',undefined,'large');d.append(picture(g.board,'the board'));section('Board',d);}
 if(g.drawing){const d=el('div',undefined,'draw');d.append(picture(g.drawing,'the automaton'));section('Automaton',d);}
 else if(g.stats)section('Automaton',el('p','Too large to draw here: rgtrans --to svg draws it.'));
 if(g.perft)section('Perft',table(g.perft.map((n,i)=>['depth '+(i+1),n.toLocaleString('en')]),true));
 if(g.playouts){const p=g.playouts;section(`${p.playouts} random playouts`,bars(p.histogram),table([['length',`${fixed(p.length.mean,1)} on average, ${p.length.min} to ${p.length.max}`],
  ['branching',`${fixed(p.branching.mean,1)} on average, ${p.branching.max} at most`],...p.players.map(x=>[x.name,`score ${fixed(x.mean_goal,2)}, ${x.wins} wins`])]));}
 if(g.stats)section('Sizes',table(Object.entries(g.stats).map(([k,v])=>[k=='state_size'?'state, values':k.replaceAll('_',' '),v]),true));}
function route(){const h=location.hash,g=h.startsWith('#g=')&&games.find(x=>x.output==decodeURIComponent(h.slice(3)));
 $('all').hidden=!!g;$('one').hidden=!g;if(g){page(g);scrollTo(0,0);}}
if(folder)$('where').textContent=`The inputs are in ${folder}`;
addEventListener('hashchange',route);list();route();
</script></body></html>
)html";

}  // namespace

std::string html_report(const std::vector<Record>& records, const Options& options) {
  std::string data = json_report(records, options);
  // Text inside a script element must not close it or open a comment.
  std::string safe;
  for (const char c : data) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  std::string page = kPage;
  const std::string mark = "@DATA@";
  return page.replace(page.find(mark), mark.size(), safe);
}

}  // namespace rgtrans::batch
