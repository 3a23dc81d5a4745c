// Collects the inputs of the engines: every golden case, generated Markdown, legacy encodings, and all of Unicode.

import * as fc from 'fast-check';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNodeGrammarFiles } from '../../../src/parse/node-grammar-files.ts';
import { markdownText } from '../../support/arbitrary-markdown.ts';
import type {
  DocumentInput,
  EncodingInput,
  EngineInput,
  EngineInputs,
  LlmsFullInput,
  PageInput,
} from './engine-inputs.ts';

const GOLDEN = join(import.meta.dirname, '../../data/golden');

export async function collectInputs(): Promise<EngineInputs> {
  const files = createNodeGrammarFiles();
  const grammars: Record<string, string> = {};
  for (const language of ['javascript', 'typescript', 'tsx', 'python']) {
    const file = `tree-sitter-${language}.wasm`;
    grammars[file] = Buffer.from((await files.grammar(file)) ?? []).toString('base64');
  }
  const inputs: EngineInput[] = [
    ...htmlPages(),
    ...otherPages(),
    ...goldenDocuments(),
    ...generatedDocuments(),
    ...llmsFullFiles(),
    ...encodings(),
    { kind: 'characters', name: 'characters', first: 0x20, last: 0x323af },
  ];
  const runtime = Buffer.from(await files.runtime()).toString('base64');
  return { inputs, queries: QUERIES, grammars: { runtime, files: grammars } };
}

const QUERIES = [
  'retry with backoff',
  'maxAttempts',
  'how do I install it?',
  'table of settings',
  '検索 エンジン',
  'Straße naïve Ångström',
  '--max-old-space-size=4096',
  'std::vec::Vec @scope/pkg',
  '" OR 1=1 -- ((',
];

function htmlPages(): PageInput[] {
  const folder = join(GOLDEN, 'extract-html');
  return listNames(folder, /\.html$/).map((file) => ({
    kind: 'page',
    name: `extract-html/${file.replace('.html', '')}`,
    url: 'https://docs.example.dev/guide/page.html',
    mediaType: 'text/html; charset=utf-8',
    body: readFileSync(join(folder, file)).toString('base64'),
  }));
}

function otherPages(): PageInput[] {
  const folder = join(GOLDEN, 'extract');
  return listNames(folder, /^[^.]+$/).map((name) => {
    const [file = ''] = listNames(join(folder, name), /^input\./);
    return {
      kind: 'page',
      name: `extract/${name}`,
      url: `https://docs.test/guide/${name}/${file}`,
      mediaType: null,
      body: readFileSync(join(folder, name, file)).toString('base64'),
    };
  });
}

const FORMATS: Readonly<Record<string, Pick<DocumentInput, 'format' | 'codeLanguage'>>> = {
  md: { format: 'markdown', codeLanguage: null },
  json: { format: 'json', codeLanguage: null },
  yaml: { format: 'yaml', codeLanguage: null },
  'ts.txt': { format: 'code', codeLanguage: 'typescript' },
  py: { format: 'code', codeLanguage: 'python' },
  txt: { format: 'text', codeLanguage: null },
};

function goldenDocuments(): DocumentInput[] {
  const folder = join(GOLDEN, 'chunk');
  return listNames(folder, /(?<!\.chunks)$/).map((path) => {
    const format = FORMATS[path.slice(path.indexOf('.') + 1)];
    if (format === undefined) throw new Error(`unknown format: test/data/golden/chunk/${path}`);
    return { kind: 'document', name: `chunk/${path}`, path, ...format, text: readFileSync(join(folder, path), 'utf8') };
  });
}

const SCRIPT = `import { sleep } from './sleep.js';

/** Tries again, each time after a longer pause. */
export async function retry(task, times = 3) {
  for (let at = 0; at < times; at += 1) {
    try { return await task(); } catch { await sleep(2 ** at * 100); }
  }
  throw new Error('no more tries');
}

export class Queue {
  #tasks = [];
  add(task) { this.#tasks.push(task); return this; }
  async drain() { while (this.#tasks.length > 0) await retry(this.#tasks.shift()); }
}
`;

/** Generated once, here: the generator of another engine would produce other texts. */
function generatedDocuments(): DocumentInput[] {
  const texts = fc.sample(markdownText, { seed: 20_261_114, numRuns: 100 });
  const markdown = texts.map((text, at): DocumentInput => {
    const path = `generated-${at}.md`;
    return { kind: 'document', name: `generated/${at}`, path, format: 'markdown', codeLanguage: null, text };
  });
  const code = ['javascript', 'typescript', 'tsx'].map((codeLanguage): DocumentInput => {
    const path = `retry-${codeLanguage}.txt`;
    return { kind: 'document', name: `code/${codeLanguage}`, path, format: 'code', codeLanguage, text: SCRIPT };
  });
  return [...markdown, ...code];
}

function llmsFullFiles(): LlmsFullInput[] {
  const folder = join(GOLDEN, 'discover');
  return listNames(folder, /^[^.]+$/).map((name) => {
    const read = (file: string): string | null =>
      existsSync(join(folder, name, file)) ? readFileSync(join(folder, name, file), 'utf8') : null;
    const text = read('llms-full.txt') ?? '';
    const origin = /https?:\/\/[a-z.]*acme\.dev/.exec(text)?.[0] ?? 'https://acme.dev';
    const list = read('llms.txt');
    return {
      kind: 'llms-full',
      name: `discover/${name}`,
      text,
      url: `${origin}/llms-full.txt`,
      llmsTxt: list === null ? null : { text: list, url: `${origin}/llms.txt` },
      pages: read('pages.txt')?.trim().split('\n') ?? [],
    };
  });
}

const SINGLE_BYTE = ['windows-1250', 'windows-1251', 'windows-1252', 'iso-8859-1', 'iso-8859-2', 'koi8-r', 'macintosh'];
const DOUBLE_BYTE = ['shift_jis', 'euc-jp', 'iso-2022-jp', 'euc-kr', 'gbk', 'gb18030', 'big5'];

/** The ranges of lead and trail bytes, inclusive. */
type Pairs = readonly [lead: readonly [number, number], trail: readonly [number, number]];

const ALL_PAIRS: Pairs = [
  [0x81, 0xfe],
  [0x40, 0xfe],
];

/** For these four, Node decodes rare characters with other tables than browsers do. The common ones are the same. */
const COMMON_PAIRS: Readonly<Record<string, Pairs>> = {
  shift_jis: [
    [0x89, 0x97],
    [0x80, 0xfc],
  ],
  'euc-jp': [
    [0xb0, 0xce],
    [0xa1, 0xfe],
  ],
  'euc-kr': [
    [0xb0, 0xc8],
    [0xa1, 0xfe],
  ],
  big5: [
    [0xa4, 0xc5],
    [0xa1, 0xfe],
  ],
};

function encodings(): EncodingInput[] {
  return ['utf-8', ...SINGLE_BYTE, ...DOUBLE_BYTE].map((label) => {
    const octets: number[] = [];
    const [leads, trails] = COMMON_PAIRS[label] ?? ALL_PAIRS;
    const lastSingleByte = label in COMMON_PAIRS ? 0x7e : 0xff;
    for (let octet = 0x20; octet <= lastSingleByte; octet += 1) octets.push(octet, 0x0a);
    for (let lead = leads[0]; lead <= leads[1]; lead += 1) {
      for (let trail = trails[0]; trail <= trails[1]; trail += 1) octets.push(lead, trail, 0x0a);
    }
    return { kind: 'encoding', name: `encoding/${label}`, label, body: Buffer.from(octets).toString('base64') };
  });
}

function listNames(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, 'utf8')
    .filter((name) => pattern.test(name) && !name.endsWith('.test.ts'))
    .sort();
}
