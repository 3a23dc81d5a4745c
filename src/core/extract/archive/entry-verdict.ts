// Decides whether an archive entry may be read. Names are untrusted: one that could escape its folder, hide, or mean a
// different file on another system is refused, and so is everything except regular files.

import { IGNORE_FILES } from '../../files/ignore-file.ts';
import type { ZipEntry } from './zip-directory.ts';

export type EntryVerdict =
  | { readonly admit: true; readonly path: string }
  | { readonly admit: false; readonly reason: EntryRefusal };

export type EntryRefusal =
  | 'absolute-path'
  | 'parent-path'
  | 'bad-name'
  | 'hidden'
  | 'folder'
  | 'link'
  | 'special-file'
  | 'encrypted'
  | 'unknown-method';

const UNIX = 3;
const FILE_TYPE_MASK = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const LINK = 0o120000;
const MAX_NAME_CHARS = 1024;

export function entryVerdict(entry: ZipEntry): EntryVerdict {
  const name = entry.name;
  if (/^(?:[/\\]|[A-Za-z]:)/.test(name)) return refuse('absolute-path');
  const segments = name.split(/[/\\]/);
  if (segments.includes('..')) return refuse('parent-path');
  if (name === '' || name.length > MAX_NAME_CHARS || isBadName(name)) return refuse('bad-name');
  const kind = fileKind(entry);
  if (kind !== 'file') return refuse(kind);
  if (isHidden(segments)) return refuse('hidden');
  if (entry.isEncrypted) return refuse('encrypted');
  if (entry.method === 'other') return refuse('unknown-method');
  return { admit: true, path: segments.filter((segment) => segment !== '').join('/') };
}

/** The rules of a folder are read, never listed. */
function isHidden(segments: readonly string[]): boolean {
  const isRules = IGNORE_FILES.includes(segments.at(-1) ?? '');
  return (isRules ? segments.slice(0, -1) : segments).some((segment) => segment.startsWith('.'));
}

function refuse(reason: EntryRefusal): EntryVerdict {
  return { admit: false, reason };
}

/** Control characters, and what Windows interprets as a device, a stream or a wildcard. */
function isBadName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (/[<>:"|?*\0-\u001f\u007f]/.test(name)) return true;
  return name
    .split(/[/\\]/)
    .some((segment) => /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(segment) || /[. ]$/.test(segment));
}

function fileKind(entry: ZipEntry): 'file' | 'folder' | 'link' | 'special-file' {
  if (/[/\\]$/.test(entry.name)) return 'folder';
  const type = entry.hostSystem === UNIX ? entry.unixMode & FILE_TYPE_MASK : 0;
  if (type === 0 || type === REGULAR) return 'file';
  if (type === FOLDER) return 'folder';
  return type === LINK ? 'link' : 'special-file';
}
