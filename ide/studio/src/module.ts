// The program as a WebAssembly module (ide/web): its imports, and messages to it.
type Channel = 'desk' | 'service';

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  room(size: number): number;
  ask_desk(): void;
  ask_service(): void;
  step(): number;
}

const kBadDescriptor = 8;
const kMissing = 52;
const kRealTime = 0;

export class Program {
  private constructor(private exports: Exports) {}

  // `send` gets the messages of the program.
  static async of(module: WebAssembly.Module, send: (text: string) => void): Promise<Program> {
    let exports: Exports | null = null;
    const view = () => new DataView(exports!.memory.buffer);
    const text = (at: number, size: number) =>
      new TextDecoder().decode(new Uint8Array(exports!.memory.buffer, at, size));
    // Of the system interface that its libraries expect, the program uses clocks, chance and messages of failures.
    const system: Record<string, (...args: never[]) => number> = {
      clock_time_get(clock: number, _precision: bigint, out: number) {
        const milliseconds = clock === kRealTime ? Date.now() : performance.now();
        view().setBigUint64(out, BigInt(Math.round(milliseconds * 1e6)), true);
        return 0;
      },
      random_get(at: number, size: number) {
        crypto.getRandomValues(new Uint8Array(exports!.memory.buffer, at, size));
        return 0;
      },
      fd_write(_descriptor: number, list: number, count: number, out: number) {
        let size = 0;
        for (let i = 0; i < count; ++i) {
          const at = view().getUint32(list + 8 * i, true);
          const length = view().getUint32(list + 8 * i + 4, true);
          if (length > 0) console.warn(text(at, length));
          size += length;
        }
        view().setUint32(out, size, true);
        return 0;
      },
      environ_sizes_get(count: number, size: number) {
        view().setUint32(count, 0, true);
        view().setUint32(size, 0, true);
        return 0;
      },
      environ_get: () => 0,
      fd_prestat_get: () => kBadDescriptor,
      proc_exit: () => {
        throw new WebAssembly.RuntimeError('the program ended');
      },
    };
    const imports: WebAssembly.Imports = {
      rgtrans: { send: (at: number, size: number) => send(text(at, size)) },
      wasi_snapshot_preview1: {},
    };
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      if (from === 'wasi_snapshot_preview1') imports[from]![name] = system[name] ?? (() => kMissing);
    }
    const instance = await WebAssembly.instantiate(module, imports);
    exports = instance.exports as unknown as Exports;
    exports._initialize();
    return new Program(exports);
  }

  deliver(channel: Channel, message: string): void {
    const bytes = new TextEncoder().encode(message);
    const at = this.exports.room(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    if (channel === 'desk') this.exports.ask_desk();
    else this.exports.ask_service();
  }

  // Does one piece of work. False if none waits.
  step(): boolean {
    return this.exports.step() !== 0;
  }
}
