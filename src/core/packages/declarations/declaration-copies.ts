// Finds declaration files that a package ships once per module system: files whose text equals that of another file.

import { isDeclarationPath } from './entry-points.ts';

const FOLDER_OF_COPIES = /(^|\/)(?:cjs|commonjs)\//;
const FOLDERS_OF_ORIGINALS = ['esm', 'module', 'mjs'] as const;

/**
 * Each copy with the file that it repeats: `index.d.cts` with the `index.d.ts` next to it, `cjs/a.d.ts` with `esm/a.d.ts`. A file with the
 * same name and other contents is not a copy.
 */
export function declarationCopies(
  paths: ReadonlySet<string>,
  read: (path: string) => string | undefined,
): ReadonlyMap<string, string> {
  const copies = new Map<string, string>();
  for (const path of paths) {
    const candidates = isDeclarationPath(path) ? originalPaths(path).filter((other) => paths.has(other)) : [];
    const text = candidates.length === 0 ? undefined : comparable(read(path));
    const original = text === undefined ? undefined : candidates.find((other) => comparable(read(other)) === text);
    if (original !== undefined) copies.set(path, original);
  }
  return copies;
}

/** Where the original of a file may be. None of these has the file itself as its original, so there are no cycles. */
function originalPaths(path: string): readonly string[] {
  const plain = path.replace(/\.d\.[mc]ts$/, '.d.ts');
  const inOtherFolders = FOLDERS_OF_ORIGINALS.flatMap((folder) => {
    const moved = (name: string): string => name.replace(FOLDER_OF_COPIES, `$1${folder}/`);
    return [moved(plain), moved(path)];
  });
  return [...new Set([...inOtherFolders, plain])].filter((other) => other !== path);
}

/**
 * The text without the differences between module systems: extensions of imported files, the syntax of the default export, and the comment
 * that names the source map.
 */
function comparable(text: string | undefined): string | undefined {
  return text
    ?.replaceAll(/\.[cm]js\b/g, '.js')
    .replaceAll(/^export default function \(/gm, 'declare function _default(')
    .replaceAll(/^export (?:=|default) [\w$.]+;$|^\/\/# sourceMappingURL=.*$/gm, '')
    .trimEnd();
}
