// Examples that are whole games get a button, which opens them in a studio below the text. The studio is in the folder `studio`
// of this site if `scripts/web docs` has made it.
(async () => {
  const kLanguages = { hrg: 'hrg', rbg: 'rbg', rg: 'rg', kif: 'gdl', ldx: 'ludax', lud: 'ludii', linegame: 'linegames' };
  const kWritten = /cat > (\S+\.(\w+)) <<'END'\n([\s\S]*?\n)END$/m;
  const studio = new URL('studio/', document.currentScript.src);

  // The example of a block, or null. A page that writes its game in parts has it in its last part.
  function example(block) {
    const written = kWritten.exec(block.textContent);
    if (written && kLanguages[written[2]]) return { name: written[1], language: kLanguages[written[2]], text: written[3] };
    const parts = [...document.querySelectorAll('pre code.language-hrg')];
    const text = parts.map((part) => part.textContent).join('\n');
    if (block !== parts.at(-1) || !/^graph rules\(/m.test(text)) return null;
    return { name: 'example.hrg', language: 'hrg', text };
  }

  // The address of a studio with this text, as its page writes it.
  async function address(game) {
    const kept = { files: [{ ...game, origin: 'own' }], active: game.name, view: 'board', path: [], settings: {} };
    const bytes = new Blob([JSON.stringify(kept)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    let text = '';
    for (const byte of new Uint8Array(await new Response(bytes).arrayBuffer())) text += String.fromCharCode(byte);
    return `${studio}#s=${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
  }

  const found = [...document.querySelectorAll('pre code')].map((block) => [block.parentElement, example(block)]);
  const examples = found.filter(([, game]) => game);
  if (examples.length === 0 || !(await fetch(new URL('program.js', studio), { method: 'HEAD' })).ok) return;
  for (const [block, game] of examples) {
    const button = document.createElement('button');
    button.className = 'live btn btn-default';
    button.textContent = 'Edit and play it here';
    button.onclick = async () => {
      const frame = document.createElement('iframe');
      frame.title = `${game.name} in the studio`;
      frame.style.cssText = 'width: 100%; height: 75vh; border: 1px solid #ccc';
      frame.src = await address(game);
      button.replaceWith(frame);
    };
    block.after(button);
  }
})();
