// A folder of documentation whose files change, and the library that follows it.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Library } from '../../src/index.ts';
import { temporaryDirectory } from './temporary-folder.ts';

export interface ChangingFolder {
  readonly path: string;
  /** Changes, removes and adds some of the files. */
  mutate(): void;
  /** Brings the library up to date with the folder. */
  sync(library: Library): Promise<void>;
}

export function createChangingFolder(files: number): ChangingFolder {
  const path = temporaryDirectory();
  let round = 0;
  const write = (nth: number): void =>
    writeFileSync(
      join(path, `page-${nth}.md`),
      `# Page ${nth}\n\nThe pool of round ${round} keeps ${nth} connections open until they have been idle for long.\n\n## Limits\n\nAt most ${nth + round} requests wait for a connection of page ${nth}, and the others are refused.\n`,
    );
  for (let nth = 0; nth < files; nth += 1) write(nth);
  return {
    path,
    mutate() {
      round += 1;
      for (let nth = round % 7; nth < files; nth += 7) write(nth);
      for (let nth = round % 11; nth < files; nth += 11) rmSync(join(path, `page-${nth}.md`), { force: true });
      for (let nth = (round + 5) % 11; nth < files; nth += 11) write(nth);
    },
    async sync(library) {
      await (await library.add({ url: path, name: 'docs' })).done();
    },
  };
}
