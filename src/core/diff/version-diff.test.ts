import { expect, test } from 'vitest';
import { extractMarkdown } from '../extract/markdown/markdown.ts';
import { pageUrl } from '../model/page-url.ts';
import { documentedApi, type ComparedPage } from './documented-api.ts';
import { packagePages } from '../../../test/support/package-pages.ts';
import { workMs } from '../../../test/support/work-time.ts';
import { fitDiff } from './fit-diff.ts';
import { allMembers } from './symbol-diff.ts';
import { versionDiff, type VersionDiff } from './version-diff.ts';

function markdownPage(path: string, text: string): ComparedPage {
  const { document } = extractMarkdown({ url: pageUrl(`file:///${path}`), text, isMdx: false });
  return { path, title: document.title, text: document.text, outline: document.outline };
}

function diffOf(before: string, after: string): VersionDiff {
  return versionDiff(
    { label: '1.4.0', pages: packagePages({ name: 'kettle', version: '1.4.0', files: { 'index.d.ts': before } }) },
    { label: '2.0.0', pages: packagePages({ name: 'kettle', version: '2.0.0', files: { 'index.d.ts': after } }) },
  );
}

const old = `
/** Boils water until it is hot enough for tea, and then stops. */
export declare function boil(litres: number): void;
/** Pours what was boiled into each of the cups, one after another. */
export declare function pour(cups: string[]): void;
/** Whistles. */
export declare function whistle(): void;
export interface Options {
  /** How hot. Default: \`90\` */
  degrees?: number;
  /** How long. */
  seconds?: number;
}
`;
const current = `
/** Boils water until it is hot enough for tea, and then stops. */
export declare function boil(litres: number, signal?: AbortSignal): void;
/** Pours what was boiled into each of the cups, one after another. */
export declare function serve(cups: string[]): void;
export interface Options {
  /** How hot. Default: \`95\` */
  degrees?: number;
  /**
   * How long.
   * @deprecated Use degrees.
   */
  seconds?: number;
}
`;

test('symbols that are gone, have another name, another signature or default, or are deprecated now', () => {
  const { removed, renamed, signatures, defaults, deprecated } = diffOf(old, current);
  expect(removed.map(({ symbol }) => symbol)).toEqual(['whistle']);
  expect(renamed).toMatchObject([{ symbol: 'pour', to: 'serve' }]);
  expect(signatures.map(({ symbol }) => symbol)).toContain('boil');
  expect(signatures.find(({ symbol }) => symbol === 'boil')?.after).toContain('AbortSignal');
  expect(defaults).toMatchObject([{ name: 'Options.degrees', before: '90', after: '95' }]);
  expect(deprecated).toMatchObject([{ symbol: 'Options.seconds', text: 'Use degrees.' }]);
});

test('two versions with the same text have no difference', () => {
  expect(Object.values(diffOf(old, old)).flat()).toEqual([]);
});

test('defaults of tables, sections under another heading, and notes of the versions in between', () => {
  const table = (value: string): string =>
    `# Options\n\n| name | type | default |\n| --- | --- | --- |\n| \`lid\` | boolean | \`${value}\` |\n`;
  const text = 'Descale the kettle every month, with vinegar and a lot of patience.';
  const notes = [
    '# Changelog\n\n## 2.1.0\n\nIs not there yet.',
    '## 2.0.0\n\nThe whistle is gone.',
    '## 1.5.0\n\nThe lid is new.',
    '## 1.4.0\n\nThe handle is blue.',
  ];
  const diff = versionDiff(
    {
      label: '1.4.0',
      pages: [
        markdownPage('options.md', table('true')),
        markdownPage('care.md', `# Care\n\n## Cleaning\n\n${text}\n\n## Storing\n\nAnywhere.\n`),
      ],
    },
    {
      label: '2.0.0',
      pages: [
        markdownPage('options.md', table('false')),
        markdownPage('care.md', `# Care\n\n## Descaling\n\n${text}\n`),
        markdownPage('CHANGELOG.md', notes.join('\n\n')),
        markdownPage('docs/migrating.md', '# Migrating\n\n## Whistles\n\nListen to the water instead.\n'),
      ],
    },
  );
  expect(diff.defaults).toMatchObject([{ name: 'Options: lid', before: 'true', after: 'false' }]);
  expect(diff.sections.map(({ heading, to }) => [heading, to])).toEqual([
    ['Care › Cleaning', 'Care › Descaling'],
    ['Care › Storing', null],
  ]);
  expect(diff.notes.map(({ text: note }) => note)).toEqual([
    'Listen to the water instead.',
    'The whistle is gone.',
    'The lid is new.',
  ]);
});

test('a budget keeps what breaks, and some of the notes', () => {
  const symbols = Array.from({ length: 200 }, (_, nth) => `export declare function removed${nth}(): void;`).join('\n');
  const whole = diffOf(symbols, 'export declare function one(): void;');
  const { diff, isTruncated } = fitDiff(
    { ...whole, uses: [], notes: [{ path: 'a', anchor: null, heading: 'b', text: 'c' }] },
    500,
  );
  expect(isTruncated).toBe(true);
  expect(diff.removed.length).toBeGreaterThan(5);
  expect(diff.notes).toHaveLength(1);
  expect(JSON.stringify(diff).length / 4).toBeLessThan(550);
});

test('symbols that are gone are compared in linear time (finding Y1)', () => {
  const entries = Array.from({ length: 30_000 }, (_, nth) => `gone${nth}.member`);
  const outline = entries.map((text, nth) => ({
    level: 2,
    text,
    anchor: null,
    line: nth + 1,
    definition: { symbol: text, lastLine: nth + 1 },
  }));
  const page: ComparedPage = { path: 'api.md', title: 'API', text: entries.join('\n'), outline };
  const compare = (size: number): number => {
    const some = { ...page, outline: outline.slice(0, size) };
    return workMs(() => versionDiff({ label: '1.0.0', pages: [some] }, { label: '2.0.0', pages: [] }));
  };
  compare(3000);
  expect(compare(30_000)).toBeLessThan(40 * Math.max(5, compare(3000)));
});

test('members without a comment, with those of base types', () => {
  const base = `declare class Vessel { fill(): void; empty(): void; }`;
  const { removed, signatures } = diffOf(
    `${base}\nexport declare class Pot { fill(): void; empty(): void; lid(): void; handle(left: boolean): void; }`,
    `${base}\nexport declare class Pot extends Vessel { handle(left: boolean, right: boolean): void; }`,
  );
  expect(removed.map(({ symbol }) => symbol)).toEqual(['Pot.lid']);
  expect(signatures.map(({ symbol }) => symbol)).toEqual(['Pot', 'Pot.handle']);
});

test('a base type of another package may have the members', () => {
  const { removed } = diffOf(
    'export declare class Pot { on(): void; }',
    "import { EventEmitter } from 'events'; export declare class Pot extends EventEmitter { }",
  );
  expect(removed).toEqual([]);
});

test('symbols are compared by the module that exports them', () => {
  const version = (label: string, exports: Readonly<Record<string, string>>) => ({
    label,
    pages: packagePages({
      name: 'kettle',
      version: label,
      files: {
        'one.d.ts': 'export declare class Pot { lid(): void; }\nexport declare function boil(): void;',
        'two.d.ts': 'export declare class Pot { cover(): void; }',
        'three.d.ts': 'export declare function descale(): void;',
      },
      fields: { exports },
    }),
  });
  const { removed, renamed } = versionDiff(
    version('1.0.0', { '.': './one.d.ts', './v1': './one.d.ts', './care': './three.d.ts' }),
    version('2.0.0', { '.': './two.d.ts', './v1': './one.d.ts' }),
  );
  expect(removed.map(({ symbol }) => symbol)).toEqual(['kettle/care', 'Pot.lid']);
  expect(renamed).toMatchObject([{ symbol: 'boil', to: "boil from 'kettle/v1'" }]);
});

test('a symbol of a module that is gone has moved to the module that exports it now, and its members are compared', () => {
  const files = {
    'main.d.ts': 'export declare function boil(): void;',
    'old.d.ts': 'export declare class Pot { lid(): void; fill(): void; }\nexport declare class Cup { sip(): void; }',
    'new.d.ts': 'export declare function boil(): void;\nexport declare class Pot { fill(): void; }',
  };
  const version = (label: string, exports: Readonly<Record<string, string>>, type: string) => ({
    label,
    pages: packagePages({ name: 'kettle', version: label, files, fields: { exports, type } }),
  });
  const { removed, renamed, requirements } = versionDiff(
    version('1.0.0', { '.': './main.d.ts', './pots': './old.d.ts', './src/*': './src/*' }, 'commonjs'),
    version('2.0.0', { '.': './new.d.ts' }, 'module'),
  );
  expect(removed.map(({ symbol }) => symbol)).toEqual(['kettle/src/*', 'kettle/pots', 'Pot.lid']);
  expect(renamed).toMatchObject([{ symbol: 'Pot', to: "Pot from 'kettle'" }]);
  expect(requirements).toMatchObject([
    { name: 'module systems', before: 'ECMAScript modules and CommonJS', after: 'ECMAScript modules' },
  ]);
});

/** Sections that define types, each of which extends another one that is named `base`. */
function pageOfTypes(count: number, nameOf: (nth: number) => string, field: string): ComparedPage {
  const lines = ['# api', ''];
  const outline: Array<ComparedPage['outline'][number]> = [{ level: 1, text: 'api', anchor: null, line: 1 }];
  for (let nth = 0; nth < count; nth += 1) {
    const symbol = nameOf(nth);
    const definition = { symbol, lastLine: 0, others: [] };
    outline.push({ level: 2, text: symbol, anchor: `a${nth}`, line: lines.length + 1, definition });
    const code = `interface ${symbol} extends base { ${field}${nth}: string }`;
    lines.push(`## ${symbol}`, '', `Import from \`kettle/${nth}\`.`, '', '```ts', code, '```', '');
  }
  return { path: 'api.md', title: 'api', text: lines.join('\n'), outline };
}

test('a name that is defined any number of times costs no more than as many names', () => {
  const compare = (nameOf: (nth: number) => string) => (): unknown =>
    versionDiff(
      { label: '1', pages: [pageOfTypes(1500, nameOf, 'a')] },
      { label: '2', pages: [pageOfTypes(1500, nameOf, 'b')] },
    );
  const differentMs = workMs(compare((nth) => `type${nth}`));
  expect(workMs(compare(() => 'base'))).toBeLessThan(20 * differentMs + 1000);
});

test('members that thousands of types inherit from one type are not collected for each of them', () => {
  const page = pageOfTypes(2000, (nth) => (nth === 0 ? 'base' : `type${nth}`), 'a');
  const members = Array.from({ length: 2000 }, (_, nth) => `m${nth}: string;`).join(' ');
  const text = page.text.replace('interface base extends base {', `interface base { ${members}`);
  const pages = [{ ...page, text }];
  const api = documentedApi(pages);
  const found = [...api.symbols.values()].flat().map((symbol) => allMembers(symbol, api));
  expect(found.some(({ isWhole }) => !isWhole)).toBe(true);
  expect(found.reduce((sum, one) => sum + one.members.size, 0)).toBeLessThan(2_500_000);
  // Of a type that was not read whole, no member is called removed.
  const after = [{ ...page, text: text.replaceAll(/type(\d+) extends base \{ a/g, 'type$1 extends base { b') }];
  const { removed } = versionDiff({ label: '1.0.0', pages }, { label: '2.0.0', pages: after });
  expect(removed.map(({ symbol }) => symbol)).not.toContain('type1999.a1999');
});
