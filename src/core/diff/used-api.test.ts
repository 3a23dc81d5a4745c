import { beforeAll, expect, test } from 'vitest';
import { createNodeGrammarFiles } from '../../parse/node-grammar-files.ts';
import { workMs } from '../../../test/support/work-time.ts';
import { packagePages } from '../../../test/support/package-pages.ts';
import { createGrammarLoader } from '../chunk/code/grammar-loader.ts';
import { createApiView } from './api-view.ts';
import { documentedApi } from './documented-api.ts';
import { usedApi } from './used-api.ts';
import type { ApiUse } from './used-values.ts';

const grammars = createGrammarLoader(createNodeGrammarFiles());
beforeAll(() => grammars.prepare('typescript'));

const before = `
export interface Options { litres?: number; whistle?: boolean; }
export interface Water { degrees: number; steam(): void; cool(): Water; }
export declare class Kettle {
  constructor(options?: Options);
  boil(litres: number): Water;
  fill(litres: number, slowly?: boolean): this;
  pour(cup: string): void;
  onBoil(listener: (water: Water) => void): void;
}
export declare function brew(leaves: string): Promise<Water>;
export declare function descale(): void;
export declare const limits: { most: number; least: number };
`;
const after = `
export interface Options { litres?: number; }
export interface Water { degrees: number; cool(): Water; }
export declare class Kettle {
  constructor(options?: Options);
  boil(litres: number): Water;
  fill(litres: number): this;
  onBoil(listener: (water: Water) => void): void;
}
export declare function brew(leaves: string, minutes: number): Promise<Water>;
export declare const limits: { most: number };
`;

const apiOf = (code: string, version: string) =>
  createApiView(documentedApi(packagePages({ name: 'kettle', version, files: { 'index.d.ts': code } })));
const [old, current] = [apiOf(before, '1.0.0'), apiOf(after, '2.0.0')];

function usesOf(text: string, packageName = 'kettle'): readonly ApiUse[] {
  const tree = grammars.ready('typescript')?.parse(text) ?? null;
  const uses = tree === null ? [] : usedApi(tree.rootNode, text, { packageName, old, current });
  tree?.delete();
  return uses;
}

const shown = (text: string): readonly string[] =>
  usesOf(text).map(({ line, symbol, reason }) => `${line} ${symbol} ${reason}`);

test('a removed import is named at its own line', () => {
  expect(shown("import {\n  Kettle,\n  descale,\n} from 'kettle';\n")).toEqual(['3 descale removed']);
});

test('members are followed through variables, calls and chains', () => {
  const text = `import { Kettle } from 'kettle';
const kettle = new Kettle();
kettle.pour('blue');
kettle.fill(1).boil(1).cool().steam();
const { steam } = kettle.boil(2);
`;
  expect(shown(text)).toEqual(['3 Kettle.pour removed', '4 Water.steam removed', '5 Water.steam removed']);
});

test('promises, namespaces, annotations and constants', () => {
  const text = `import * as tea from 'kettle';
import type { Water } from 'kettle';
const use = (water: Water) => water.steam();
const run = async () => (await tea.brew('green')).degrees;
console.log(tea.limits.least, tea.limits.most);
`;
  expect(shown(text)).toEqual(['3 Water.steam removed', '4 brew changed', '5 limits.least removed']);
});

test('the parameter of a callback has the type that the package says', () => {
  const text = `import { Kettle } from 'kettle';
new Kettle().onBoil((water) => {
  water.steam();
  console.log(water.degrees);
});
`;
  expect(shown(text)).toEqual(['3 Water.steam removed']);
});

test('options that are gone, and calls that no signature allows', () => {
  const text = `import { Kettle, brew, type Options } from 'kettle';
const options: Options = { litres: 1, whistle: true };
new Kettle({
  whistle: false,
});
brew('black');
brew('black', 3);
new Kettle(options).fill(1, true);
`;
  expect(shown(text)).toEqual([
    '2 Options.whistle removed',
    '4 Options.whistle removed',
    '6 brew changed',
    '8 Kettle.fill changed',
  ]);
});

test('what a program declares itself is not of the package', () => {
  const text = `import { Kettle } from 'kettle';
class Pot { pour(): void {} }
const pot = new Pot();
pot.pour();
const shape = { steam: 1 };
console.log(shape.steam, Kettle.name);
function later(kettle: { pour(): void }): void { kettle.pour(); }
`;
  expect(shown(text)).toEqual([]);
});

test('a file that does not import the package has no uses', () => {
  expect(shown("import { Kettle } from 'kettle-two';\nnew Kettle().pour('a');\n")).toEqual([]);
});

test('deep and long programs are read in bounded time', () => {
  const texts = [
    `import { Kettle } from 'kettle';\nconst k = new Kettle();\nk${'.fill(1)'.repeat(5000)};`,
    `import { Kettle } from 'kettle';\n${'(() => {'.repeat(1000)}${'})'.repeat(1000)}`,
    `import { Kettle } from 'kettle';\n${Array.from({ length: 5000 }, (_, nth) => `const a${nth} = new Kettle(); a${nth}.pour('a');`).join('\n')}`,
  ];
  for (const text of texts) expect(workMs(() => usesOf(text))).toBeLessThan(5000);
});

test('types inside a namespace, both results of a conditional type, and a default import of a whole module', () => {
  const parser = (members: string, result: string) => `
export declare class Leaf { ${members} }
export declare namespace Leaf { interface Dried extends Leaf { months: number; } }
export declare function pick<Kind>(): ${result};
`;
  const [from, to] = [
    apiOf(`${parser('rinse(): void; steep(): void;', 'Leaf.Dried')}export declare function dry(): void;`, '1.0.0'),
    apiOf(parser('steep(): void;', 'Kind extends string ? Leaf.Dried : Leaf'), '2.0.0'),
  ];
  const text = "import tea, { pick } from 'kettle';\nconst leaf = pick();\nleaf.steep();\nleaf.rinse();\ntea.dry();\n";
  const tree = grammars.ready('typescript')!.parse(text)!;
  const uses = usedApi(tree.rootNode, text, { packageName: 'kettle', old: from, current: to });
  tree.delete();
  expect(uses.map(({ line, symbol }) => `${line} ${symbol}`)).toEqual(['4 Leaf.rinse', '5 dry']);
});

test('a file with as many blocks as names costs no more than the names', () => {
  const names = Array.from({ length: 10_000 }, (_, nth) => `const v${nth} = new Kettle();`).join('\n');
  const text = `import { Kettle } from 'kettle';\n${names}\n`;
  const plainMs = workMs(() => usesOf(text));
  expect(workMs(() => usesOf(`${text}${'{}'.repeat(10_000)}`))).toBeLessThan(10 * plainMs + 1000);
});

test('a name of an inner scope hides that of an outer one, inside it alone', () => {
  const lines = [
    "import { Kettle } from 'kettle';",
    'const k = new Kettle();',
    "{ const k = 1; k.pour('a'); { k.pour('b'); } }",
    "{ { k.pour('c'); } }",
    "k.pour('d');",
  ];
  expect(usesOf(lines.join('\n')).map(({ line }) => line)).toEqual([4, 5]);
});
