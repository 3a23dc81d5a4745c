// The folder that a start URL opens. In a separate file: code that only needs this does not load the list of public suffixes.

/**
 * `/docs/intro` is in `/docs`. A single segment without an extension, such as `/docs`, is treated as a folder: a user who
 * adds it does not mean the whole host.
 */
export function scopeFolder(pathname: string): string {
  const slash = pathname.lastIndexOf('/');
  if (slash === 0 && pathname.length > 1 && !pathname.includes('.')) return pathname;
  return pathname.slice(0, slash);
}
