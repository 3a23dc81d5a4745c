// Facts that the documentation states and the repository knows: folders, stages, the index of the decisions, numbers, barrels.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { projectFiles, report } from './rules/project-files.ts';

const ARCHITECTURE = 'ARCHITECTURE.md';
const DECISIONS = 'docs/decisions';

report([
  ...folderFaults(),
  ...placementFaults(),
  ...stageFaults(),
  ...decisionFaults(),
  ...numberFaults(),
  ...barrelFaults(),
]);

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function names(text: string): string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
}

/** The names in the first column of the tables of a section. */
function firstColumn(text: string): string[] {
  return text.split('\n').flatMap((line) => names(/^\| (`.*?) \|/.exec(line)?.[1] ?? ''));
}

/** From a heading or a word up to the next heading. */
function section(text: string, start: string): string {
  const [, rest = ''] = text.split(start);
  return rest.split(/^#/m)[0] ?? '';
}

function subfolders(folder: string): string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Every folder of `src` and `src/core` has its question, and every folder that is named exists. */
function folderFaults(): string[] {
  const text = read(ARCHITECTURE);
  const questions = firstColumn(text.split('## Who may import whom?')[0] ?? '');
  const expected = [
    ...subfolders('src').filter((name) => name !== 'core'),
    ...subfolders('src/core').map((name) => `core/${name}`),
  ];
  return [
    ...expected
      .filter((name) => !questions.includes(name))
      .map((name) => `${ARCHITECTURE}: src/${name} has no question`),
    ...[...questions.map((name) => `src/${name}`), ...outsideFolders(text)]
      .filter((path) => !existsSync(path))
      .map((path) => `${ARCHITECTURE}: ${path} does not exist`),
  ];
}

/** The folders in a paragraph such as: Outside `src`: `web` (the dashboard; `api` fetches), `bench`. A name in parentheses is a folder in the one before them. */
function outsideFolders(text: string): string[] {
  const [paragraph = ''] = section(text, 'Outside `src`:').split('\n\n');
  return Array.from(paragraph.matchAll(/`([^`]+)`(?: \(([^)]*)\))?/g)).flatMap(([, folder = '', inside = '']) => [
    folder,
    ...names(inside).map((name) => (name.includes('/') ? name : `${folder}/${name}`)),
  ]);
}

/** Every path under "Where do I put …" exists, from the root or in `src`; a word such as `flags` is none. */
function placementFaults(): string[] {
  const [, rows = ''] = read(ARCHITECTURE).split('## Where do I put …');
  return names(rows.replaceAll(/^(?!\|).*$/gm, ''))
    .filter((name) => /[/.]/.test(name))
    .filter((path) => !existsSync(path) && !existsSync(`src/${path}`))
    .map((path) => `${ARCHITECTURE}: ${path} does not exist`);
}

/** The glossary lists the stages of the architecture. */
function stageFaults(): string[] {
  const stages = firstColumn(section(read(ARCHITECTURE), '### The stages')).toSorted();
  const row = /^\| \*\*stage\*\* \|.*$/m.exec(read('docs/concepts.md'))?.[0] ?? '';
  const listed = names(row).toSorted();
  return listed.join() === stages.join()
    ? []
    : [`docs/concepts.md: the stages are ${stages.join(', ')}, and the glossary has ${listed.join(', ')}`];
}

/** Each decision is in the index once, in order and under its title. */
function decisionFaults(): string[] {
  const index = read(`${DECISIONS}/README.md`);
  const files = (existsSync(DECISIONS) ? readdirSync(DECISIONS) : []).filter((file) => /^\d{4}-/.test(file)).toSorted();
  const rows = Array.from(
    index.matchAll(/^\| (\d{4}) \| \[(.*?)\]\((.*?)\)/gm),
    ([, number = '', title = '', file = '']) => {
      return { number, title, file };
    },
  );
  const titleOf = (file: string): string => /^# \d{4}\. (.*)$/m.exec(read(`${DECISIONS}/${file}`))?.[1] ?? '';
  return [
    ...files
      .filter((file) => rows.filter((row) => row.file === file).length !== 1)
      .map((file) => `${file} is not in the index once`),
    ...rows
      .filter(({ file, title, number }) => !file.startsWith(`${number}-`) || titleOf(file) !== title)
      .map(({ number }) => `the number or title of ${number} differs from its page`),
    ...index.split(/^## /m).flatMap(unordered),
  ].map((wrong) => `${DECISIONS}/README.md: ${wrong}`);
}

function unordered(part: string): string[] {
  const numbers = Array.from(part.matchAll(/^\| (\d{4}) \|/gm), ([, number = '']) => number);
  return numbers.flatMap((number, at) => (number < (numbers[at - 1] ?? '') ? [`${number} is out of order`] : []));
}

/** Numbers of things that a table lists, wherever prose states one. */
function numberFaults(): string[] {
  const count = read('src/store/sql/engine/invariants.table.ts').match(/^ {4}id: '/gm)?.length ?? 0;
  return projectFiles('*.md').flatMap((file) =>
    Array.from(read(file).matchAll(/(\d+)\s+invariants\b/g))
      .filter(([, stated]) => Number(stated) !== count)
      .map(([text]) => `${file}: "${text}": there are ${count}`),
  );
}

/** Files that only export what others declare: those that CONTRIBUTING.md names. */
function barrelFaults(): string[] {
  const [, sentence = ''] = /No barrels except([^.]*(?:\.ts[^.]*)*)\./.exec(read('CONTRIBUTING.md')) ?? [];
  const named = names(sentence).toSorted();
  const found = projectFiles('src/*.ts').filter(isBarrel).toSorted();
  return named.join() === found.join()
    ? []
    : [`CONTRIBUTING.md: the barrels are ${found.join(', ')}, and it names ${named.join(', ')}`];
}

function isBarrel(file: string): boolean {
  const code = read(file).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const rest = code.replaceAll(/^export (?:type )?(?:\{[^}]*\}|\*(?: as \w+)?) from '[^']+';$/gm, '');
  return code.trim() !== '' && rest.trim() === '';
}
