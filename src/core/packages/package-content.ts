// Which files of a package decide what it documents. A hash of them is the content of a version: projects that share the version have the
// same content. The rule depends on paths alone and is wider than what today's readers take, so that a new reader seldom changes a hash.

import { isRecord } from '../extract/data/json-fields.ts';
import { parseJson } from '../text/parse-json.ts';
import type { ReaderEcosystem, PackageFile } from './package-folder.ts';
import { CODE_ENDINGS, EXAMPLE_FOLDERS, PROSE_ENDINGS } from './package-files.table.ts';

/** The files that the readers of an ecosystem need, in addition to those that are documentation by themselves. */
const READ_FILES: Readonly<Record<ReaderEcosystem, RegExp>> = {
  npm: /\.d\.[cm]?ts$|(?:^|\/)package\.json$/i,
  python: /\.pyi?$|\/METADATA$/i,
  rust: /\.rs$|(?:^|\/)Cargo\.toml$/i,
  go: /\.go$/i,
};
/** `README`, `HISTORY.txt`, `AUTHORS`. */
const PLAIN_TEXT = /(?:^|\/)[^./]+(?:\.txt)?$/i;

export function isReaderInput(ecosystem: ReaderEcosystem, path: string): boolean {
  return READ_FILES[ecosystem].test(path);
}

/** In the order of the files. */
export function contentFiles(
  ecosystem: ReaderEcosystem,
  files: readonly PackageFile[],
  includeSources: boolean,
): readonly PackageFile[] {
  return files.filter(({ path }) => {
    const folders = path.toLowerCase().split('/');
    const ending = /\.([^.]+)$/.exec(folders.pop() ?? '')?.[1] ?? '';
    if (isReaderInput(ecosystem, path) || PROSE_ENDINGS.has(ending) || PLAIN_TEXT.test(path)) return true;
    const isCode = CODE_ENDINGS.has(ending);
    return isCode && (includeSources || folders.some((folder) => EXAMPLE_FOLDERS.has(folder)));
  });
}

/** A manifest without the fields that a package manager adds on installation, such as `_resolved`. */
export function publishedManifest(text: string): string {
  const fields = parseJson(text);
  if (!isRecord(fields)) return text;
  return JSON.stringify(Object.entries(fields).filter(([name]) => !name.startsWith('_')));
}
