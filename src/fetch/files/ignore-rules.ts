// The ignore files of a folder, from its root down. Each is read once while a source is open.

import type { Reason } from '../../core/outcome/reasons.table.ts';
import { DEFAULT_IGNORES } from '../../core/files/default-ignores.table.ts';
import {
  IGNORE_FILES,
  ignoreVerdict,
  MAX_IGNORE_BYTES,
  parseIgnoreFile,
  type IgnoreFile,
} from '../../core/files/ignore-file.ts';
import { isHiddenName } from '../../core/files/path-verdict.ts';
import { decodeUtf8 } from '../../core/text/decode-utf8.ts';
import { readFileInside, type FileRules } from './read-file-inside.ts';

export interface IgnoreRules {
  /** Why an entry of a folder is excluded; null where it is not. `folder` and `name` as on disk. */
  exclusion(folder: readonly string[], name: string, isFolder: boolean): Promise<Reason | null>;
  /** Warnings about the ignore files in this folder. */
  warnings(folder: readonly string[]): Promise<ReadonlyArray<{ readonly file: string; readonly message: string }>>;
}

const GIT_EXCLUDE: readonly string[] = ['.git', 'info', 'exclude'];

interface FolderRules {
  /** From the root down to this folder. */
  readonly files: readonly IgnoreFile[];
  readonly own: ReadonlyArray<{ readonly name: string; readonly file: IgnoreFile }>;
}

export function createIgnoreRules(rules: FileRules): IgnoreRules {
  const cache = new Map<string, Promise<FolderRules>>();

  function rulesOf(folder: readonly string[]): Promise<FolderRules> {
    const key = folder.join('/');
    const found = cache.get(key) ?? read(folder);
    cache.set(key, found);
    return found;
  }

  async function read(folder: readonly string[]): Promise<FolderRules> {
    const above = folder.length === 0 ? await atRoot() : (await rulesOf(folder.slice(0, -1))).files;
    const own: Array<{ name: string; file: IgnoreFile }> = [];
    const base = folder.length === 0 ? '' : `${folder.join('/')}/`;
    for (const name of IGNORE_FILES) {
      const file = await readOne([...folder, name], base);
      if (file !== null) own.push({ name: base + name, file });
    }
    return { files: [...above, ...own.map(({ file }) => file)], own };
  }

  async function atRoot(): Promise<readonly IgnoreFile[]> {
    const exclude = await readOne(GIT_EXCLUDE, '');
    const defaults = parseIgnoreFile(DEFAULT_IGNORES.join('\n'), '');
    return exclude === null ? [defaults] : [defaults, exclude];
  }

  async function readOne(segments: readonly string[], base: string): Promise<IgnoreFile | null> {
    const outcome = await readFileInside(segments, { ...rules, maxFileBytes: MAX_IGNORE_BYTES });
    return outcome.kind === 'read' ? parseIgnoreFile(decodeUtf8(outcome.body), base) : null;
  }

  return {
    async exclusion(folder, name, isFolder) {
      if (isHiddenName(name)) return 'hidden';
      const verdict = ignoreVerdict([...folder, name].join('/'), isFolder, (await rulesOf(folder)).files);
      return verdict.ignored ? `ignored: ${verdict.pattern}` : null;
    },
    async warnings(folder) {
      const { own } = await rulesOf(folder);
      return own.flatMap(({ name, file }) => file.warnings.map((message) => ({ file: name, message })));
    },
  };
}
