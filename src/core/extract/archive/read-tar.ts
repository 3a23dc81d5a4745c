// Reads a tar archive that is in memory: plain files only, names judged like those of any other archive. Long names in
// either common form are understood; links, devices and everything else are refused by name.

import { entryVerdict, type EntryRefusal } from './entry-verdict.ts';
import { pinakesError } from '../../model/errors.ts';
import { tarHeader, type TarHeader } from './tar-header.ts';

export type TarItem =
  | { readonly kind: 'file'; readonly path: string; readonly body: Uint8Array }
  | { readonly kind: 'refused'; readonly name: string; readonly because: EntryRefusal | 'file-too-large' };

export interface TarLimits {
  readonly maxFileBytes: number;
  readonly maxEntries: number;
}

const BLOCK = 512;
const UNIX = 3;
const MODES: Readonly<Record<string, number>> = { '0': 0o100000, '\0': 0o100000, '2': 0o120000, '5': 0o040000 };
const SPECIAL = 0o010000;

/** Throws `extract.malformed` for what is not a whole archive. Bodies are parts of the archive, not copies. */
export function* readTar(archive: Uint8Array, name: string, limits: TarLimits): Generator<TarItem> {
  let longName: string | null = null;
  let entries = 0;
  for (let at = 0; at + BLOCK <= archive.byteLength;) {
    const header = tarHeader(archive.subarray(at, at + BLOCK));
    if (header === 'end') return;
    if (header === null || at + BLOCK + header.size > archive.byteLength) throw malformed(name);
    const body = archive.subarray(at + BLOCK, at + BLOCK + header.size);
    at += BLOCK + Math.ceil(header.size / BLOCK) * BLOCK;
    if ('LxgK'.includes(header.type)) {
      longName = nameOf(header, body) ?? longName;
      continue;
    }
    entries += 1;
    if (entries > limits.maxEntries) throw malformed(`${name} with more than ${limits.maxEntries} files`);
    yield itemOf({ ...header, name: longName ?? header.name }, body, limits);
    longName = null;
  }
}

function itemOf(header: TarHeader, body: Uint8Array, limits: TarLimits): TarItem {
  const verdict = entryVerdict({
    name: header.name.replace(/^(?:\.\/)+/, ''),
    method: 'stored',
    isEncrypted: false,
    madeOn: UNIX,
    unixMode: MODES[header.type] ?? SPECIAL,
    packed: { start: 0, end: header.size },
  });
  if (!verdict.admit) return { kind: 'refused', name: header.name, because: verdict.because };
  if (header.size > limits.maxFileBytes) return { kind: 'refused', name: header.name, because: 'file-too-large' };
  return { kind: 'file', path: verdict.path, body };
}

/** The name that a header of type `L` or `x` gives to the entry after it. */
function nameOf({ type }: TarHeader, body: Uint8Array): string | null {
  const text = new TextDecoder().decode(body.subarray(0, 65_536));
  if (type === 'L') return text.replace(/\0+$/, '');
  if (type !== 'x') return null;
  const record = text.split('\n').find((line) => /^\d{1,6} path=/.test(line));
  return record === undefined ? null : record.slice(record.indexOf('=') + 1);
}

function malformed(name: string): Error {
  return pinakesError('extract.malformed', { url: name, as: 'tar archive' });
}
