// Decides whether a path that somebody else wrote may name a file inside a root: in a URL, an archive or a bundle. What
// could leave the root on any system is refused on all of them.

export type PathVerdict =
  | { readonly admit: true; readonly segments: readonly string[] }
  | { readonly admit: false; readonly because: PathRefusal };

export type PathRefusal = 'absolute-path' | 'parent-path' | 'bad-name' | 'hidden' | 'too-deep' | 'too-long';

/** Folders below the root; deeper ones are a trap or a mistake. */
export const MAX_DEPTH = 64;
const MAX_PATH_CHARS = 4096;
const MAX_NAME_BYTES = 255;

/**
 * `portable` names mean the same file on every system. `any` also takes what a file of this system may be called, such
 * as `std::vec.html`; on Windows that is not safe.
 */
export type NameRule = 'portable' | 'any';

export function pathVerdict(path: string, names: NameRule): PathVerdict {
  if (path.length > MAX_PATH_CHARS) return refuse('too-long');
  if (/^[/\\]/.test(path) || (names === 'portable' && /^[a-z]:/i.test(path))) return refuse('absolute-path');
  const segments = path.split(/[/\\]/);
  if (segments.includes('..')) return refuse('parent-path');
  if (segments.length > MAX_DEPTH) return refuse('too-deep');
  const isBad = names === 'portable' ? isBadName : isEmptyOrUnseen;
  if (path.includes('\\') || segments.some(isBad)) return refuse('bad-name');
  return segments.some(isHidden) ? refuse('hidden') : { admit: true, segments };
}

export function isHidden(segment: string): boolean {
  return segment.startsWith('.');
}

/** Empty, or what Windows reads as a device, a stream, another name (`name.`) or a short name (`PROGRA~1`). */
function isBadName(segment: string): boolean {
  if (isEmptyOrUnseen(segment) || /[<>:"|?*]/.test(segment)) return true;
  if (segment.length > MAX_NAME_BYTES || /[. ]$/.test(segment)) return true;
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(segment) || /^[^.~]{1,6}~\d(?:\.[^.]{0,3})?$/.test(segment);
}

function isEmptyOrUnseen(segment: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return segment === '' || segment === '.' || /[\u0000]/.test(segment);
}

function refuse(because: PathRefusal): PathVerdict {
  return { admit: false, because };
}
