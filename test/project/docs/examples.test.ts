// Every name that the entries of the package export has an example in its comment, and all of them compile; the adapters of
// the guide run too.

import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { PROJECT, readProject } from '../../support/project-files.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { documentedPrograms, runProgram } from '../npm-package/documented-programs.ts';

const ENTRIES: Readonly<Record<string, string>> = {
  pinakes: 'src/index.ts',
  'pinakes/client': 'src/client/index.ts',
  'pinakes/loader': 'src/loader.ts',
  'pinakes/sinks': 'src/compose/sinks.ts',
  'pinakes/ports': 'src/ports.ts',
};
const CORE = { 'pinakes/core': 'src/core/index.ts' };

interface Exported {
  readonly entry: string;
  /** As a program imports it. */
  readonly name: string;
  /** Empty if there is none. */
  readonly example: string;
}

function exportsOf(entry: string, file: string): Exported[] {
  const text = readProject(file);
  const passedOn = Array.from(
    text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm),
    ([, list = '', from = '']) =>
      list
        .split(',')
        .map((item) => item.trim().replace(/^type /, ''))
        .filter((item) => item !== '')
        .map((item) => {
          const [declared = '', name = declared] = item.split(' as ');
          return { entry, name, example: exampleIn(join(dirname(file), from), declared) };
        }),
  ).flat();
  const own = Array.from(text.matchAll(DECLARATION), ([, name = '']) => ({
    entry,
    name,
    example: exampleIn(file, name),
  }));
  return [...passedOn, ...own];
}

const DECLARATION = /^export (?:async )?(?:interface|type|class|function\*?|const) (\w+)/gm;

/** From the comment of a declaration, through files that only pass a name on. */
function exampleIn(file: string, name: string): string {
  const text = readProject(file);
  const passed = new RegExp(String.raw`^export (?:type )?\{[^}]*\b${name}\b[^}]*\} from '([^']+)';$`, 'm').exec(text);
  if (passed !== null) return exampleIn(join(dirname(file), passed[1] ?? ''), name);
  const start = text.search(
    new RegExp(String.raw`^export (?:async )?(?:interface|type|class|function\*?|const) ${name}\b`, 'm'),
  );
  const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n$/.exec(text.slice(0, start))?.[0] ?? '';
  const [, example = ''] = comment.split(/^ \* @example\n/m);
  return example.replaceAll(/^ \*(?:\/| )?/gm, '').trim();
}

const exported = Object.entries(ENTRIES).flatMap(([entry, file]) => exportsOf(entry, file));
const folder = realpathSync(temporaryDirectory());
afterAll(() => rmSync(folder, { recursive: true }));

test('there is something to check', () => {
  expect(exported.length).toBeGreaterThan(60);
  expect(exported.map(({ name }) => name)).toEqual(expect.arrayContaining(['openLibrary', 'documentId', 'IndexQuery']));
});

test('every exported name has an example', () => {
  expect(exported.filter(({ example }) => example === '').map(({ entry, name }) => `${entry}: ${name}`)).toEqual([]);
});

test('an example uses the name that it explains', () => {
  const short = /^(?:Library|LibraryWebhooks|ScopedLibrary|Sources|ChangeOptions|CallOptions|EventOptions|RunHandle)$/;
  const silent = exported.filter(
    ({ name, example }) => !short.test(name) && !new RegExp(`\\b${name}\\b`).test(example),
  );
  expect(silent.map(({ entry, name }) => `${entry}: ${name}`)).toEqual([]);
});

/** An example may use any exported name, a library and a run. */
function moduleOf(example: string): string {
  const names = new Map(exported.map(({ entry, name }) => [name, entry]));
  const used = [...names].filter(([name]) => new RegExp(`\\b${name}\\b`).test(example));
  return `${used.map(([name, entry]) => `import { ${name} } from '${entry}';\n`).join('')}
declare const library: import('pinakes').Library;
declare const run: import('pinakes').RunHandle;
export async function example(): Promise<void> {
${example}
}
`;
}

function compile(modules: readonly string[]): string {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const files = modules.map((text, i) => {
    writeFileSync(join(folder, `example-${i}.ts`), text);
    return `example-${i}.ts`;
  });
  const paths = Object.fromEntries(
    Object.entries({ ...ENTRIES, ...CORE }).map(([entry, file]) => [entry, [join(PROJECT, file)]]),
  );
  const compilerOptions = {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom'],
    types: ['node'],
    typeRoots: [join(PROJECT, 'node_modules/@types')],
    paths,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  return spawnSync(join(PROJECT, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' }).stdout;
}

test('every example compiles, and one with a wrong name does not', () => {
  const examples = [...new Set(exported.map(({ example }) => example))];
  const programs = [...documentedPrograms('docs/guides/adapters.md').values()];
  const output = compile([...programs, ...[...examples, "await library.serch('pool');"].map(moduleOf)]);
  // The files of the project have their own type projects.
  const errors = output.split('\n').filter((line) => /example-\d+\.ts\(.*: error /.test(line));
  expect(errors).toEqual([expect.stringContaining("'serch' does not exist")]);
}, 120_000);

describe('the adapters of the guide run', () => {
  const printed: Readonly<Record<string, string>> = {
    'A fetcher': 'https://wiki.example/pool#pool\n',
    'An embedder': 'hybrid\n',
    'A sink': '1\n',
    'An extractor': '# pool.srt\n\nThe pool is full.\n\n',
  };
  test.each([...documentedPrograms('docs/guides/adapters.md')])(
    '%s',
    async (title, text) => {
      const home = realpathSync(temporaryDirectory());
      mkdirSync(join(home, 'notes'));
      writeFileSync(join(home, 'notes/pool.md'), '# Pool\n\nThe pool closes connections after thirty seconds.\n');
      const program = Object.entries({ ...ENTRIES, ...CORE }).reduce(
        (changed, [entry, file]) => changed.replaceAll(`from '${entry}'`, `from '${join(PROJECT, file)}'`),
        text,
      );
      const { code, stdout, stderr } = await runProgram(home, program);
      expect(code, stderr).toBe(0);
      expect(stdout).toBe(printed[title]);
    },
    90_000,
  );
});
