// Decides whether a foreign path (from a URL, an archive or a bundle) may name a file inside a root. What could escape the
// root on any system is rejected on all systems.

export type PathVerdict =
  | { readonly admit: true; readonly segments: readonly string[] }
  | { readonly admit: false; readonly reason: PathRejection };

export type PathRejection = 'absolute-path' | 'parent-path' | 'bad-name' | 'hidden' | 'too-deep' | 'too-long';

/** Folders below the root; deeper paths are a trap or a mistake. */
export const MAX_FOLDER_DEPTH = 64;
const MAX_PATH_CHARS = 4096;
const MAX_NAME_BYTES = 255;

/**
 * `portable` names mean the same file on every system. `any` also accepts names of this system, such as `std::vec.html`,
 * which is not safe on Windows.
 */
export type NameRule = 'portable' | 'any';

export function pathVerdict(path: string, names: NameRule): PathVerdict {
  if (path.length > MAX_PATH_CHARS) return rejected('too-long');
  if (/^[/\\]/.test(path) || (names === 'portable' && /^[a-z]:/i.test(path))) return rejected('absolute-path');
  const segments = path.split(/[/\\]/);
  if (segments.includes('..')) return rejected('parent-path');
  if (segments.length > MAX_FOLDER_DEPTH) return rejected('too-deep');
  const isBad = names === 'portable' ? isBadName : isEmptyOrNul;
  if (path.includes('\\') || segments.some(isBad)) return rejected('bad-name');
  return segments.some(isHiddenName) ? rejected('hidden') : { admit: true, segments };
}

export function isHiddenName(segment: string): boolean {
  return segment.startsWith('.');
}

/** Empty, or interpreted by Windows as a device, a stream, another name (`name.`) or a short name (`PROGRA~1`). */
function isBadName(segment: string): boolean {
  if (isEmptyOrNul(segment) || /[<>:"|?*]/.test(segment)) return true;
  if (segment.length > MAX_NAME_BYTES || /[. ]$/.test(segment)) return true;
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(segment) || /^[^.~]{1,6}~\d(?:\.[^.]{0,3})?$/.test(segment);
}

function isEmptyOrNul(segment: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return segment === '' || segment === '.' || /[\u0000]/.test(segment);
}

function rejected(reason: PathRejection): PathVerdict {
  return { admit: false, reason };
}

/**
 * Both paths must have been resolved by the file system, so links and case do not matter. A prefix alone is not enough:
 * `/srv/docs-private` is not inside `/srv/docs`.
 */
export function isInsideRoot(path: string, root: string, separator: string): boolean {
  if (path === root) return true;
  const folder = root.endsWith(separator) ? root : root + separator;
  return path.startsWith(folder);
}
