// Deterministic Markdown for speed tests: prose, code, lists and tables in the proportions of real documentation.

import type { Document } from '../../src/core/model/document.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { createRandom } from '../../test/support/random.ts';

const SYLLABLES =
  'con fig ure ser ver quer in dex to ken par se read file sync max pool size time out re try log le vel'.split(' ');

export function syntheticPages(count: number): Document[] {
  const random = createRandom(7);
  const pick = (below: number): number => Math.floor(random() * below);
  const word = (): string => Array.from({ length: 1 + pick(3) }, () => SYLLABLES[pick(SYLLABLES.length)]).join('');
  const words = (min: number, extra: number): string => Array.from({ length: min + pick(extra) }, word).join(' ');
  const blocks = [
    (): string => `${words(30, 80)}. ${words(10, 60)}.`,
    (): string =>
      `${words(20, 40)}, see [${words(2, 2)}](https://docs.example.dev/${word()}) and \`${word()}_${word()}\`.`,
    (): string =>
      ['```ts', ...Array.from({ length: 4 + pick(20) }, () => `const ${word()} = ${word()}(${word()});`), '```'].join(
        '\n',
      ),
    (): string => Array.from({ length: 2 + pick(8) }, () => `- \`--${word()}-${word()}\`: ${words(5, 15)}`).join('\n'),
    (): string =>
      [
        '| name | says |',
        '|---|---|',
        ...Array.from({ length: 3 + pick(12) }, () => `| ${word()} | ${words(3, 9)} |`),
      ].join('\n'),
  ];
  return Array.from({ length: count }, (_, page) => {
    const sections = Array.from({ length: 3 + pick(20) }, () =>
      [
        `${'#'.repeat(2 + pick(2))} ${words(2, 4)}`,
        ...Array.from({ length: 2 + pick(6) }, () => blocks[pick(blocks.length)]?.() ?? ''),
      ].join('\n\n'),
    );
    const title = words(2, 3);
    return {
      url: pageUrl(`https://docs.example.dev/${page}/${word()}`),
      format: 'markdown',
      title,
      description: null,
      language: 'en',
      codeLanguage: null,
      canonical: null,
      text: `# ${title}\n\n${words(20, 40)}.\n\n${sections.join('\n\n')}\n`,
      outline: [],
      links: [],
    };
  });
}
