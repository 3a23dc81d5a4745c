// Recognizes pages that a documentation generator produced from the code itself: views of source files and of their uses,
// and indexes of names.

import type { Document } from '../model/document.ts';

/** Folders of source views: Sphinx, javadoc. */
const SOURCE_FOLDER = /\/(?:_modules|_sources|class-use|src-html)\//;
/** Doxygen (`map_8h_source.html`), javadoc, and a source file shown as a page (`vec/mod.rs.html`). Pages such as `node.js.html` are guides. */
const SOURCE_FILE =
  /(?:_8\w{1,4}_source|\/package-use|\.(?:c|cc|cpp|cs|cxx|erl|go|h|hpp|hs|java|kt|php|pm|py|rb|rs|scala|swift))\.x?html?$/;
/** Sphinx, Doxygen, rustdoc, JSDoc and javadoc, in their words; tested against the title and the first heading. */
const SOURCE_TITLE =
  /^Source code for [\w.]{1,200}$|\.\w{1,5} Source File$|\.rs(?:\.html)? --? source$|^(?:JSDoc: )?Source: \S{1,200}$|^Uses of (?:Class|Interface|Enum|Enum Class|Record|Record Class|Annotation Type|Annotation Interface|Package) [\w.]{1,200}$/;

/** By path alone, for a page whose document is not at hand. */
export function isSourceViewPath(path: string): boolean {
  return SOURCE_FOLDER.test(path) || SOURCE_FILE.test(path);
}

/** Whether the page shows a source file or lists where the code uses a name. */
export function isSourceView({ url, title, outline }: Pick<Document, 'url' | 'title' | 'outline'>): boolean {
  if (isSourceViewPath(new URL(url).pathname)) return true;
  // javadoc writes the name of the API behind the title, in parentheses.
  const names = [title.slice(0, 400).replace(/ \([^()]*\)$/, ''), outline[0]?.text.slice(0, 400) ?? ''];
  return names.some((name) => SOURCE_TITLE.test(name));
}

/** Generated indexes: javadoc, Sphinx, Doxygen, Qt. */
const INDEX_PAGE =
  /\/index-files\/|\/(?:genindex|py-modindex|modindex|deprecated-list|index-all|allclasses|allpackages|constant-values|serialized-form|overview-tree|package-tree|hierarchy)[^/]*$|(?:-members|-obsolete)\.x?html?$/;

/** By path: a list of names that a documentation generator produced. */
export function isGeneratedIndex(path: string): boolean {
  return INDEX_PAGE.test(path);
}
