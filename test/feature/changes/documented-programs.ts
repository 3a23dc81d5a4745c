// The programs of docs/guides/changes.md, as modules that a test calls.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChangeView } from '../../../src/actions/list-changes.ts';
import { readSnippets } from '../../support/read-snippets.ts';
import { PROJECT, readProject } from '../../support/project-files.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const PAGE = 'docs/guides/changes.md';

export interface Copy {
  position(): string | undefined;
  apply(change: ChangeView): void;
  forgetPosition(): void;
}

export interface DocumentedPrograms {
  readonly isFromPinakes: (secret: string, headers: NodeJS.Dict<string | string[]>, body: string) => boolean;
  readonly follow: (server: string, copy: Copy, signal: AbortSignal) => Promise<void>;
}

export async function loadDocumentedPrograms(): Promise<DocumentedPrograms> {
  const programs = readSnippets(PAGE, readProject(PAGE)).filter(({ language }) => language === 'js');
  const folder = temporaryDirectory();
  const modules = programs.map(async ({ text }, i) => {
    const file = join(folder, `program-${i}.mjs`);
    const client = pathToFileURL(join(PROJECT, 'src/client/index.ts')).href;
    writeFileSync(file, text.replace("'pinakes/client'", `'${client}'`));
    return (await import(pathToFileURL(file).href)) as object;
  });
  return Object.assign({}, ...(await Promise.all(modules))) as DocumentedPrograms;
}
