// Runs the script of an HTML report with just enough of a browser: every game has a page, drawings have numbers, the filter filters.
//   node report_page.js REPORT.html WORD -> how many games the page shows at first, and with WORD in the search field
const fs=require('fs');const html=fs.readFileSync(process.argv[2],'utf8');
const data=html.match(/<script type="application\/json" id="data">([\s\S]*?)<\/script>/)[1];
const script=html.match(/<script>\n([\s\S]*?)<\/script>/)[1];
let count=0,drawings=0,boards=0;
class E{constructor(t){this.t=t;this.c=[];this.attr={};this.textContent='';count++;}
 append(...x){this.c.push(...x);}replaceChildren(...x){this.c=x;}setAttribute(k,v){this.attr[k]=v;if(String(v).includes('NaN'))throw Error('NaN in '+k);}
 // A drawing is an image: whatever is in it, nothing of it is run.
 set innerHTML(v){throw Error('texts are read as HTML: '+v.slice(0,80));}
 set src(v){const d=/^data:image\/svg\+xml,(.*)$/.exec(v),t=d&&decodeURIComponent(d[1]);
  if(this.t!='img'||!t||!/^<svg[^>]* xmlns="http:\/\/www.w3.org\/2000\/svg"[^]*<\/svg>\s*$/.test(t)||t.includes('nan'))throw Error('no drawing: '+v.slice(0,80));if(this.alt=='the automaton')drawings++;else boards++;}
 get tHead(){return this.h=this.h||new E('thead');}get tBodies(){return [this.b=this.b||new E('tbody')];}
 set value(v){this.v=v;}get value(){return this.v||'';}}
const els={};const D={getElementById:i=>els[i]=els[i]||new E(i),createElement:t=>new E(t),createElementNS:(n,t)=>new E(t)};
els.data=new E('data');els.data.textContent=data;
global.document=D;const loc={hash:''};let onhash;
const f=new Function('document','location','addEventListener','scrollTo',script);
f(D,loc,(n,h)=>onhash=h,()=>{});
const games=JSON.parse(data).games;
for(const g of games){loc.hash='#g='+encodeURIComponent(g.output);onhash();if(els.one.hidden)throw Error('no page '+g.output);}
if(drawings!=games.filter(g=>g.drawing).length)throw Error(`${drawings} drawings`);
if(games.some(g=>g.board)!=boards>0)throw Error(`${boards} boards`);
loc.hash='';onhash();if(els.all.hidden)throw Error('no list');
const first = els.n.textContent;
els.q.value = process.argv[3];
els.q.oninput();
console.log(first + '; ' + els.n.textContent);
