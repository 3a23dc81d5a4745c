// Whether a real path lies inside a real root. Both have been resolved by the file system before, so that links and
// upper and lower case are no question any more.

/** A prefix alone is not enough: `/srv/docs-private` is not inside `/srv/docs`. */
export function isInsideRoot(path: string, root: string, separator: string): boolean {
  if (path === root) return true;
  const folder = root.endsWith(separator) ? root : root + separator;
  return path.startsWith(folder);
}
