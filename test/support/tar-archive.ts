// Tar archives as forges and registries send them, and as an attacker may.

import { gzipSync } from 'node:zlib';

export interface TarEntry {
  readonly name: string;
  readonly text?: string;
  /** One character; `0` is a file, `2` a symbolic link. */
  readonly type?: string;
  /** Instead of the size of the text. */
  readonly size?: number;
}

const BLOCK = 512;

function header({ name, text = '', type = '0', size }: TarEntry): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name.slice(0, 100), 0);
  block.write('0000644\0', 100);
  block.write((size ?? Buffer.byteLength(text)).toString(8).padStart(11, '0'), 124);
  block.write(type, 156);
  block.write('ustar\0', 257);
  block.fill(0x20, 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function entryBytes(entry: TarEntry): Buffer {
  const body = Buffer.from(entry.text ?? '');
  return Buffer.concat([header(entry), body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)]);
}

export function tarBytes(entries: readonly TarEntry[], comment?: string): Buffer {
  const record = `comment=${comment}\n`;
  const global: TarEntry = { name: 'pax_global_header', type: 'g', text: `${record.length + 3} ${record}` };
  const all = comment === undefined ? entries : [global, ...entries];
  return Buffer.concat([...all.map(entryBytes), Buffer.alloc(2 * BLOCK)]);
}

/** With everything in one folder, as `git archive` and `npm pack` make it. */
export function packed(
  folder: string,
  files: Readonly<Record<string, string>>,
  { comment, more = [] }: { readonly comment?: string; readonly more?: readonly TarEntry[] } = {},
): Buffer {
  const entries = Object.entries(files).map(([path, text]) => ({ name: `${folder}/${path}`, text }));
  return gzipSync(tarBytes([...entries, ...more], comment));
}
