// The macros of mdoc(7), as BSD manuals use them: a line names a macro, and its arguments may name further ones.

import type { ManBlocks } from './man-blocks.ts';
import type { RoffLine } from './roff-lines.ts';
import { roffHtml, roffPlain, type Strings } from './roff-text.ts';

type Request = Extract<RoffLine, { kind: 'request' }>;

/** How the words of a macro are written. */
interface MacroStyle {
  readonly font: string;
  readonly before?: string;
  readonly after?: string;
  /** Around everything that follows on the line. */
  readonly encloses?: boolean;
}

const STYLES: ReadonlyMap<string, MacroStyle> = new Map<string, MacroStyle>([
  ...['Ar', 'Em', 'Fa', 'Vt', 'Va', 'Ft'].map((name): [string, MacroStyle] => [name, { font: 'I' }]),
  ...['Cm', 'Ic', 'Sy', 'Ms', 'Nm', 'Cd', 'Fd'].map((name): [string, MacroStyle] => [name, { font: 'B' }]),
  ...['Pa', 'Li', 'Ev', 'Dv', 'Er', 'Ad', 'Tn', 'Ql', 'No', 'Sx', 'Lb', 'St', 'An', 'Lk', 'Mt', 'Ap', 'Ta'].map(
    (name): [string, MacroStyle] => [name, { font: 'R' }],
  ),
  ['Fl', { font: 'B', before: '-' }],
  ['Op', { font: 'R', before: '[', after: ']', encloses: true }],
  ['Oo', { font: 'R', before: '[' }],
  ['Oc', { font: 'R', before: ']' }],
  ['Pq', { font: 'R', before: '(', after: ')', encloses: true }],
  ['Po', { font: 'R', before: '(' }],
  ['Pc', { font: 'R', before: ')' }],
  ['Bq', { font: 'R', before: '[', after: ']', encloses: true }],
  ['Aq', { font: 'R', before: '<', after: '>', encloses: true }],
  ['Brq', { font: 'R', before: '{', after: '}', encloses: true }],
  ['Dq', { font: 'R', before: '“', after: '”', encloses: true }],
  ['Sq', { font: 'R', before: '‘', after: '’', encloses: true }],
  ['Qq', { font: 'R', before: '"', after: '"', encloses: true }],
  ['Do', { font: 'R', before: '“' }],
  ['Dc', { font: 'R', before: '”' }],
]);

/** Macros that stand for a name. */
const NAMES: Readonly<Record<string, string>> = {
  Fx: 'FreeBSD',
  Nx: 'NetBSD',
  Ox: 'OpenBSD',
  Dx: 'DragonFly',
  Bx: 'BSD',
  Bsx: 'BSD/OS',
  Ux: 'UNIX',
  At: 'AT&T UNIX',
};

/** In a synopsis each of these begins a line. */
const BEGINS_LINE = new Set(['In', 'Fd', 'Ft', 'Vt']);

/** The name of the page is written where `.Nm` has no argument. It belongs to one page, so it is kept with its blocks. */
const names = new WeakMap<ManBlocks, string>();
const lists = new WeakMap<ManBlocks, string[]>();

export function writeMdocRequest(request: Request, blocks: ManBlocks, strings: Strings): void {
  const { name, args } = request;
  if (name.startsWith('%')) blocks.inline(roffHtml(args.join(' '), strings), args.join(' '));
  const block = BLOCKS.get(name);
  if (block !== undefined) block(request, blocks, strings);
  else if (name === 'Rv') writeReturnValue(args, blocks);
  else if (STYLES.has(name) || name in NAMES || SPELLED.has(name)) {
    if (BEGINS_LINE.has(name)) blocks.lineBreak();
    writeLine([name, ...args], blocks, strings);
  }
}

function writeReturnValue(args: readonly string[], blocks: ManBlocks): void {
  const [, name = names.get(blocks) ?? ''] = args;
  const text = `The ${name}() function returns the value 0 if successful; otherwise the value -1 is returned and the global variable errno is set to indicate the error.`;
  blocks.inline(text, text);
}

type Block = (request: Request, blocks: ManBlocks, strings: Strings) => void;

const BLOCKS: ReadonlyMap<string, Block> = new Map<string, Block>([
  [
    'Dt',
    ({ args }, blocks) => {
      const [name = '', part = ''] = args;
      if (name !== '') blocks.setTitle(part === '' ? name.toLowerCase() : `${name.toLowerCase()}(${part})`);
    },
  ],
  ['Sh', ({ args }, blocks, strings) => blocks.section(2, roffHtml(args.join(' '), strings))],
  ['Ss', ({ args }, blocks, strings) => blocks.section(3, roffHtml(args.join(' '), strings))],
  ['Pp', (_, blocks) => blocks.endParagraph()],
  ['Lp', (_, blocks) => blocks.endParagraph()],
  ['Nd', ({ args }, blocks, strings) => blocks.inline(`— ${roffHtml(args.join(' '), strings)}`, args.join(' '))],
  [
    'Bl',
    ({ args }, blocks) => {
      blocks.indent();
      const kind = args.some((word) => /^-(?:bullet|dash|hyphen|item)$/.test(word))
        ? 'ul'
        : args.includes('-enum')
          ? 'ol'
          : 'dl';
      lists.set(blocks, [...(lists.get(blocks) ?? []), kind]);
    },
  ],
  ['El', (_, blocks) => endList(blocks)],
  ['It', startItem],
  [
    'Bd',
    ({ args }, blocks) =>
      args.some((word) => word === '-literal' || word === '-unfilled') ? blocks.startCode() : blocks.endParagraph(),
  ],
  ['Ed', (_, blocks) => (blocks.isInCode() ? blocks.endCode() : blocks.endParagraph())],
  ['Dl', ({ args }, blocks, strings) => displayLine(args, blocks, strings)],
  ['D1', ({ args }, blocks, strings) => displayLine(args, blocks, strings)],
  [
    'Nm',
    ({ args }, blocks, strings) => {
      const [name = ''] = args;
      const own = name === '' ? (names.get(blocks) ?? '') : name;
      if (!names.has(blocks) && name !== '') names.set(blocks, name);
      writeLine(['Nm', own, ...args.slice(1)], blocks, strings);
    },
  ],
]);

function endList(blocks: ManBlocks): void {
  lists.get(blocks)?.pop();
  blocks.outdent();
}

function startItem({ args }: Request, blocks: ManBlocks, strings: Strings): void {
  const kind = lists.get(blocks)?.at(-1) ?? 'dl';
  blocks.item(kind === 'ul' || kind === 'ol' ? kind : 'dl', lineHtml(args, strings).html);
}

function displayLine(args: readonly string[], blocks: ManBlocks, strings: Strings): void {
  blocks.startCode();
  blocks.inline('', lineHtml(args, strings).plain);
  blocks.endCode();
}

function writeLine(words: readonly string[], blocks: ManBlocks, strings: Strings): void {
  const { html, plain } = lineHtml(words, strings);
  if (plain.trim() !== '') blocks.inline(html, plain);
}

interface Line {
  html: string;
  plain: string;
  style: MacroStyle;
  /** What closes the enclosures that are still open. */
  readonly closing: string[];
  joinsNext: boolean;
}

function lineHtml(words: readonly string[], strings: Strings): { readonly html: string; readonly plain: string } {
  const line: Line = { html: '', plain: '', style: { font: 'R' }, closing: [], joinsNext: true };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    const spelled = SPELLED.get(word)?.(words.slice(at + 1));
    const text = NAMES[word] ?? spelled?.text;
    const style = STYLES.get(word);
    if (text !== undefined) append({ line, font: 'R' }, text, strings);
    else if (style !== undefined) openStyle(line, style, strings);
    else if (word === 'Ns') line.joinsNext = true;
    else appendWord(line, word, strings);
    at += spelled?.words ?? 0;
  }
  for (const text of line.closing.toReversed()) {
    line.joinsNext = true;
    append({ line, font: 'R' }, text, strings);
  }
  return { html: line.html.replace(/<\/(\w+)><\1>/g, ''), plain: line.plain };
}

/** Macros whose arguments are written as one word, and how many they take. */
const SPELLED: ReadonlyMap<string, (args: readonly string[]) => { readonly text: string; readonly words: number }> =
  new Map(
    Object.entries({
      Xr: ([name = '', part]: readonly string[]) => ({
        text: part === undefined ? name : `${name}(${part})`,
        words: 2,
      }),
      In: ([file = '']: readonly string[]) => ({ text: `#include <${file}>`, words: 1 }),
      Fn: ([name = '', ...args]: readonly string[]) => {
        const provided = args.filter((arg) => !/^[.,;:)]$/.test(arg));
        return {
          text: `${name}(${provided.join(', ')})${args.slice(provided.length).join('')}`,
          words: args.length + 1,
        };
      },
    }),
  );

function openStyle(line: Line, style: MacroStyle, strings: Strings): void {
  line.style = style;
  if (style.encloses === true) {
    append({ line, font: line.style.font }, style.before ?? '', strings);
    line.closing.push(style.after ?? '');
    line.joinsNext = true;
    line.style = { font: 'R' };
  } else if (style.before !== undefined) {
    const isClosing = /^[\])”]$/.test(style.before);
    if (isClosing) line.joinsNext = true;
    append({ line, font: line.style.font }, style.before, strings);
    line.joinsNext = !isClosing;
  }
}

function appendWord(line: Line, word: string, strings: Strings): void {
  const isPunctuation = /^[.,;:)\]?!]$/.test(word);
  if (isPunctuation) line.joinsNext = true;
  append({ line, font: isPunctuation ? 'R' : line.style.font }, word, strings);
  if (/^[([]$/.test(word)) line.joinsNext = true;
}

function append({ line, font }: { readonly line: Line; readonly font: string }, text: string, strings: Strings): void {
  const space = line.joinsNext ? '' : ' ';
  line.html += `${space}${roffHtml(text, strings, font)}`;
  line.plain += `${space}${roffPlain(text, strings)}`;
  line.joinsNext = false;
}
