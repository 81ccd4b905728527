// The texts that are open: saving, closing, downloading and uploading them, so that nothing is lost without a question.
import { ask, askName, compare } from './dialogs';
import { el } from './dom';
import type { Editor, OpenFile } from './editor';
import type { HelloReply, LanguageEntry } from './messages';
import type { Connection } from './rpc';

export class Texts {
  hello: HelloReply | null = null;
  tell: (text: string, state: 'fine' | 'busy' | 'failed') => void = () => {};
  onchange: () => void = () => {};

  constructor(
    private connection: Connection,
    private editor: Editor,
  ) {}

  languages(): LanguageEntry[] {
    return this.hello?.languages ?? [];
  }
  languageOf(name: string): string {
    const extension = name.slice(name.lastIndexOf('.'));
    return this.languages().find((language) => language.extensions.includes(extension))?.name ?? '';
  }
  isChanged(file: OpenFile): boolean {
    return this.editor.text(file) !== file.saved;
  }

  async closeFile(file: OpenFile): Promise<void> {
    if (this.isChanged(file)) {
      const answer = await ask(`Close ${file.name}?`, 'Its changes are not saved.', {
        save: 'Save',
        discard: 'Discard the changes',
        cancel: 'Cancel',
      });
      if (answer === 'save' && !(await this.saveFile(file))) return;
      if (answer === null || answer === 'cancel') return;
    }
    this.editor.close(file);
    this.onchange();
  }

  // Saves into the folder. A text of another origin gets a name there, or is downloaded if there is no folder.
  async saveFile(file = this.editor.active): Promise<boolean> {
    if (!file) return false;
    const text = this.editor.text(file);
    try {
      if (file.origin !== 'folder') return await this.saveAs(file, text);
      const there = await this.connection.request('read', { name: file.name }).then(
        (reply) => reply.text,
        () => null,
      );
      if (there !== null && there !== file.saved && there !== text) {
        const answer = await compare(file.name, text, there);
        if (answer === null) return false;
        if (answer === 'theirs') {
          file.saved = there;
          this.editor.replace(file, there);
          this.onchange();
          return true;
        }
      }
      await this.connection.request('save', { name: file.name, text });
      file.saved = text;
      this.tell('saved', 'fine');
      this.onchange();
      return true;
    } catch (problem) {
      this.tell((problem as Error).message, 'failed');
      return false;
    }
  }

  private async saveAs(file: OpenFile, text: string): Promise<boolean> {
    const base = file.name.slice(file.name.lastIndexOf('/') + 1);
    if (!this.hello?.folder) {
      this.downloadText(file);
      return true;
    }
    const name = await askName('Save as', `In ${this.hello.folder}, under this name:`, base);
    if (name === null) return false;
    const taken = await this.connection.request('read', { name }).then(
      () => true,
      () => false,
    );
    if (taken) {
      const answer = await ask(`${name} is there already`, 'Write over it?', { yes: 'Write over it', no: 'Cancel' });
      if (answer !== 'yes') return false;
    }
    await this.connection.request('save', { name, text });
    const other = this.editor.files.find((one) => one.name === name && one !== file);
    if (other) this.editor.close(other);
    Object.assign(file, { name, origin: 'folder', saved: text });
    this.hello.files = [...new Set([...this.hello.files, name])].sort();
    this.tell('saved', 'fine');
    this.onchange();
    return true;
  }

  downloadText(file = this.editor.active): void {
    if (!file) return;
    this.offer(file.name.slice(file.name.lastIndexOf('/') + 1), this.editor.text(file), 'text/plain');
    if (file.origin !== 'folder') {
      file.saved = this.editor.text(file);
      this.onchange();
    }
  }

  // To the browser's downloads.
  offer(name: string, text: string, type: string): void {
    const address = URL.createObjectURL(new Blob([text], { type }));
    el('a', { href: address, download: name }).click();
    window.setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  freeName(name: string): string {
    const [base, extension] = [name.replace(/\.\w+$/, ''), name.match(/\.\w+$/)?.[0] ?? ''];
    const taken = new Set([...this.editor.files.map((file) => file.name), ...(this.hello?.files ?? [])]);
    for (let i = 1; ; ++i) {
      const wanted = i === 1 ? name : `${base}-${i}${extension}`;
      if (!taken.has(wanted)) return wanted;
    }
  }

  upload(): void {
    const extensions = this.languages().flatMap((language) => language.extensions);
    const input = el('input', { type: 'file', accept: extensions.join(',') });
    input.onchange = async () => {
      for (const file of input.files ?? []) this.openUpload(file);
    };
    input.click();
  }
  async openUpload(file: File): Promise<void> {
    if (file.size > 16 << 20) return this.tell(`${file.name} is too large`, 'failed');
    const name = this.freeName(file.name);
    this.editor.open(name, this.languageOf(name), await file.text(), 'own');
  }
}
