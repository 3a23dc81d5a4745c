// Every type that `store/port` or `core/model` exports is named for a term of the glossary (docs/concepts.md) or a plain
// word: its head noun, the last word of its name, must be in one of the two.

import { readFileSync } from 'node:fs';
import { plainWords } from './rules/plain-words.table.ts';
import { projectFiles, report } from './rules/project-files.ts';

const GLOSSARY = 'docs/concepts.md';
const PORTS = ['src/store/port.ts', 'src/store/port/*.ts', 'src/core/model/*.ts'];

const terms = new Set(
  Array.from(readFileSync(GLOSSARY, 'utf8').matchAll(/^\| \*\*([^*]+)\*\*/gm)).flatMap(([, term = '']) => [
    term.toLowerCase(),
    // `Space` is an embedding space.
    ...term.toLowerCase().split(' ').slice(-1),
  ]),
);

report([
  ...(terms.size === 0 ? [`${GLOSSARY}: no term of the form "| **term** | definition |"`] : []),
  ...projectFiles(...PORTS).flatMap((file) => (file.endsWith('.test.ts') ? [] : unknownNouns(file))),
]);

function unknownNouns(file: string): string[] {
  return Array.from(
    readFileSync(file, 'utf8').matchAll(/^export (?:interface|type|class) (\w+)/gm),
    ([, name = '']) => name,
  )
    .filter((name) => !isKnown(name))
    .map((name) => `${file}: ${name}: name it for a term of ${GLOSSARY}, add the term there, or list a plain word`);
}

/** The head noun may have several words: a fencing token, a page revision. */
function isKnown(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');
  return words.some((_, at) => {
    const noun = words.slice(at).join(' ');
    return [noun, singular(noun)].some(
      (spelling) => terms.has(spelling) || (at === words.length - 1 && plainWords.has(spelling)),
    );
  });
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}
