// The state in the address, so that a link shows the same again. The part after # is JSON, deflated, in base64 with -
// and _. Texts that come with the program are stored by name only.
import type { PositionSetup } from './messages';

export interface Kept {
  files: { name: string; language: string; origin: 'preset' | 'folder' | 'own'; text?: string }[];
  active: string;
  view: string;
  path: string[];
  setup?: PositionSetup | null;
  settings: Record<string, unknown>;
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as BlobPart])
    .stream()
    .pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function write(kept: Kept): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(kept)), new CompressionStream('deflate-raw'));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return 's=' + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export async function read(fragment: string): Promise<Partial<Kept> | null> {
  const params = new URLSearchParams(fragment);
  const file = params.get('file');
  if (file !== null) return { files: [{ name: file, language: '', origin: 'folder' }], active: file };
  const game = params.get('game');
  if (game !== null)
    return {
      files: [{ name: game, language: '', origin: 'preset' }],
      active: game,
      view: params.get('view') ?? 'board',
    };
  const state = params.get('s');
  if (state === null) return null;
  try {
    const text = atob(state.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))));
  } catch {
    return null;
  }
}
