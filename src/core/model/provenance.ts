// Where the text of a page is from: its site or file, or a bundle that claims its URL.

/**
 * A folder is also a file, an archive on a disk or a bundle. The pages of a `fetched-archive` are files of one archive, of a repository or
 * a package, that any machine can fetch.
 */
export type SourceKind = 'web' | 'folder' | 'fetched-archive';

/** The origin of a page that was never fetched from its URL; absent for any other. */
export interface Provenance {
  readonly isImported?: true | undefined;
}

/** Content from a disk has the URL of a file, unless a bundle declares another one. */
export function importedFrom(kind: SourceKind | undefined, url: string): Provenance {
  return kind === 'folder' && !url.startsWith('file:') ? { isImported: true } : {};
}

/** When a page was last confirmed current, or when it was imported if it came from a bundle. */
export function dateText({ checkedAt, isImported }: Provenance & { readonly checkedAt: string }): string {
  return `${isImported === true ? 'imported ' : ''}${checkedAt.slice(0, 10)}`;
}
