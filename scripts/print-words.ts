// npm run words: prints every word of a public name with the surfaces it occurs on. With --check it reports words that are a
// second word for a concept of the glossary, and prints nothing else.

import { readFileSync } from 'node:fs';
import { report } from './rules/project-files.ts';
import { secondWords } from './rules/second-words.table.ts';
import { publicNames, wordsOf } from './words/public-names.ts';

const GLOSSARY = 'docs/concepts.md';
const glossary = readFileSync(GLOSSARY, 'utf8').toLowerCase();
const names = publicNames();

if (process.argv.includes('--check')) report([...unknownTerms(), ...secondWordFaults(), ...unusedExceptions()]);
else printWords();

function printWords(): void {
  const surfaces = new Map<string, Set<string>>();
  for (const { surface, name } of names)
    for (const word of wordsOf(name)) surfaces.set(word, (surfaces.get(word) ?? new Set()).add(surface));
  for (const [word, on] of [...surfaces].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${word.padEnd(24)} ${[...on].toSorted().join(', ')}`);
}

function unknownTerms(): string[] {
  const terms = new Set(Object.values(secondWords).map(({ term }) => term));
  return [...terms]
    .filter((term) => !glossary.includes(`| **${term.toLowerCase()}**`))
    .map((term) => `scripts/rules/second-words.table.ts: ${term} is not a term of ${GLOSSARY}`);
}

function unusedExceptions(): string[] {
  const known = new Set(names.map(({ name }) => name));
  return Object.values(secondWords)
    .flatMap(({ except = {} }) => Object.keys(except))
    .filter((name) => !known.has(name))
    .map((name) => `scripts/rules/second-words.table.ts: ${name} is excepted, and there is no such name`);
}

function secondWordFaults(): string[] {
  const faults = names.flatMap(({ surface, name }) =>
    wordsOf(name).flatMap((word) => {
      const second = Object.hasOwn(secondWords, word) ? secondWords[word] : undefined;
      if (second === undefined || Object.hasOwn(second.except ?? {}, name)) return [];
      return [`${surface} ${name}: "${word}" is a second word; see **${second.term}** in ${GLOSSARY}`];
    }),
  );
  return [...new Set(faults)];
}
