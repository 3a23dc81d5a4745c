// What a page is for, as far as its path tells: lists of changes, and listings that a generator of documentation makes. Both
// repeat the words of the documentation and explain few of them.

/** Lists of changes repeat every word of the documentation and explain few. */
export function isRelease(path: string): boolean {
  return /(?:whatsnew|changelog|change-?log|changes|releases?|release-?notes|history|news)(?:[/._-]|$)/i.test(path);
}

/** Folders of source code and of uses: Sphinx, javadoc. */
const LISTING_FOLDER = /\/(?:_modules|_sources|class-use|index-files)\//;
/** Whole files of such: javadoc, Sphinx, Doxygen, Qt. */
const LISTING_FILE =
  /\/(?:genindex|py-modindex|modindex|deprecated-list|index-all|allclasses|allpackages|constant-values|serialized-form|overview-tree|package-tree|package-use|hierarchy)[^/]*$|(?:-members|-obsolete|_source)\.x?html?$/;
/** A file of source code shown as a page: `vec/mod.rs.html`. */
const SOURCE_FILE = /\.(?:c|cc|cpp|erl|go|h|hpp|java|js|kt|py|rb|rs|swift|ts)\.x?html?$/;

export function isListing(path: string): boolean {
  return LISTING_FOLDER.test(path) || LISTING_FILE.test(path) || SOURCE_FILE.test(path);
}
