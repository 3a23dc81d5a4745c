// Reads a package folder: the files that are documentation as they are, and pages made from declarations and doc comments.

import type { GrammarLoader, ReadyGrammar } from '../chunk/code/grammar-loader.ts';
import { PinakesError } from '../model/errors.ts';
import type { PackageFolder, PackageManifest } from './package-folder.ts';
import { declarationPages, type DeclarationPages } from './declarations/declaration-pages.ts';
import { goPages } from './code/go-pages.ts';
import { metadataPage, pythonPages } from './code/python-pages.ts';
import { rustPages } from './code/rust-pages.ts';
import { selectPackageFiles, type SelectedFile } from './package-files.ts';
import type { PackagePage } from './symbol-page.ts';

/** Incremented with every change that can alter the result: packages are then read again. */
export const PACKAGE_READER_VERSION = 5;

export interface PackageDocumentation {
  /** Files to read as they are, most useful first: readme, guides, skills, changelogs, examples. */
  readonly files: readonly SelectedFile[];
  /** Source files without tests and bundles, read only on request. */
  readonly sources: readonly SelectedFile[];
  readonly pages: readonly PackagePage[];
  /** One sentence for each part that was not read, with the reason. */
  readonly notes: readonly string[];
}

/** The languages whose grammar must be prepared before `readPackage`; one that is not installed is named in its notes. */
export function packageLanguages({ ecosystem }: Pick<PackageManifest, 'ecosystem'>): readonly string[] {
  return ecosystem === 'npm' ? [] : [ecosystem];
}

/** Pure, linear in the size of the files that it reads, and never throws on their content. */
export function readPackage(folder: PackageFolder, grammars: Pick<GrammarLoader, 'ready'>): PackageDocumentation {
  const selected = selectPackageFiles(folder.manifest, folder.files);
  const made = pagesOf(folder, selected, grammars);
  const pages = [...changelogPages(folder, selected), ...made.pages];
  const paths = new Set(pages.map(({ path }) => path));
  return {
    files: selected.filter(
      ({ kind, path }) => kind !== 'source' && kind !== 'declarations' && kind !== 'metadata' && !paths.has(path),
    ),
    sources: selected.filter(({ kind, path }) => kind === 'source' && !paths.has(path)),
    pages,
    notes: made.notes,
  };
}

function pagesOf(
  folder: PackageFolder,
  selected: readonly SelectedFile[],
  grammars: Pick<GrammarLoader, 'ready'>,
): DeclarationPages {
  const { ecosystem } = folder.manifest;
  if (ecosystem === 'npm') return declarationPages(folder);
  const metadata = metadataPages(folder, selected);
  const { grammar, note } = grammarOf(ecosystem, grammars);
  if (grammar === null) return { pages: metadata, notes: [note] };
  const sources = selected.filter(({ kind }) => kind === 'source' || kind === 'declarations');
  const pages = CODE_READERS[ecosystem](folder, sources, grammar);
  return { pages: [...metadata, ...pages], notes: [] };
}

/** Without its grammar, a package has no pages of symbols. */
function grammarOf(
  language: string,
  grammars: Pick<GrammarLoader, 'ready'>,
): { readonly grammar: ReadyGrammar | null; readonly note: string } {
  try {
    return { grammar: grammars.ready(language), note: `there is no grammar for ${language}` };
  } catch (error) {
    if (!(error instanceof PinakesError && error.code === 'chunk.grammar-missing')) throw error;
    return { grammar: null, note: `symbols were not read: ${error.message}` };
  }
}

function changelogPages({ manifest, read }: PackageFolder, selected: readonly SelectedFile[]): readonly PackagePage[] {
  const { name, version } = manifest;
  return selected.flatMap(({ kind, path }) => {
    const whole = kind === 'changelog' && /\.mdx?$/i.test(path) ? read(path) : undefined;
    const text = whole === undefined ? null : currentChangelog(whole, version);
    return text === null ? [] : [{ path, title: `${name} changelog`, mediaType: 'text/markdown', text, symbols: [] }];
  });
}

const CODE_READERS = { python: pythonPages, rust: rustPages, go: goPages };

function metadataPages({ manifest, read }: PackageFolder, selected: readonly SelectedFile[]): readonly PackagePage[] {
  return selected.flatMap(({ kind, path }) => {
    const text = kind === 'metadata' ? read(path) : undefined;
    const page = text === undefined ? null : metadataPage(path, text, manifest.name);
    return page === null ? [] : [page];
  });
}

/** `## [1.7.2](…)`, `# 3.3.0 - 5 January`, `### v5.0.0`, `# Release rayon 1.6.1`. */
const VERSION_HEADING = /^(#{1,3})\s+[[(<]?(?:[\w@/-]{1,60}\s+){0,2}v?(\d{1,6})\.\d{1,6}(?:\.\d{1,6})?\b/i;

/** The text up to the first version with an older major number; null if it has none, or nothing about this one before it. */
export function currentChangelog(text: string, version: string): string | null {
  const major = Number(/^v?(\d{1,6})\./.exec(version)?.[1] ?? 0);
  if (major === 0) return null;
  let level = 0;
  for (const { at, marks, number } of versionHeadings(text)) {
    if (number === major) level = Math.max(level, marks);
    else if (number < major && level > 0 && marks <= level) return text.slice(0, at);
  }
  return null;
}

function* versionHeadings(
  text: string,
): Generator<{ readonly at: number; readonly marks: number; readonly number: number }> {
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const [, marks = '', number] = VERSION_HEADING.exec(text.slice(at, Math.min(end, at + 300))) ?? [];
    if (number !== undefined) yield { at, marks: marks.length, number: Number(number) };
    at = end + 1;
  }
}
