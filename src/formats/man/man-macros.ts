// The macros of man(7), with those that pod2man and groff add.

import type { ManBlocks } from './man-blocks.ts';
import type { RoffLine } from './roff-lines.ts';
import { roffHtml, roffPlain, type Strings } from './roff-text.ts';

type Request = Extract<RoffLine, { kind: 'request' }>;
type Macro = (request: Request, blocks: ManBlocks, strings: Strings) => void;

export function writeManRequest(request: Request, blocks: ManBlocks, strings: Strings): void {
  const macro = MACROS.get(request.name);
  if (macro !== undefined) macro(request, blocks, strings);
}

const endParagraph: Macro = (_, blocks) => blocks.endList();
const startCode: Macro = (_, blocks) => blocks.startCode();
const endCode: Macro = (_, blocks) => blocks.endCode();
const section =
  (level: number): Macro =>
  ({ args }, blocks, strings) =>
    blocks.section(level, roffHtml(args.join(' '), strings));

/** `.B` and `.I`: one font. */
const inFont =
  (font: string): Macro =>
  ({ args }, blocks, strings) => {
    const text = args.join(' ');
    if (text !== '') blocks.inline(roffHtml(text, strings, font), roffPlain(text, strings));
  };

/** `.BR` and the like: the arguments alternate between two fonts and are joined. */
const alternating =
  (...fonts: readonly [string, string]): Macro =>
  ({ args }, blocks, strings) => {
    const html = args.map((text, index) => roffHtml(text, strings, fonts[index % 2])).join('');
    blocks.inline(html.replace(/<\/(\w+)><\1>/g, ''), args.map((text) => roffPlain(text, strings)).join(''));
  };

const BULLET = /^(?:\\\((?:bu|em|en)|\\\[bu\]|[*•o-]|\\-|\\\(em)$/;

const indentedParagraph: Macro = ({ args }, blocks, strings) => {
  const [tag = ''] = args;
  if (tag === '' || tag === '\\&') blocks.endParagraph();
  else if (BULLET.test(tag) || tag === '\\(bu' || /^\\[([]?bu\]?/.test(tag)) blocks.item('ul', '');
  else if (/^\(?\d{1,3}[.)]?$/.test(tag) && /[.)]$/.test(tag)) blocks.item('ol', '');
  else blocks.item('dl', roffHtml(tag, strings));
};

const MACROS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  [
    'TH',
    ({ args }, blocks, strings) => {
      const [name = '', part = ''] = args.map((text) => roffPlain(text, strings));
      if (name !== '') blocks.setTitle(part === '' ? name : `${name}(${part})`);
    },
  ],
  ['SH', section(2)],
  ['SS', section(3)],
  ['PP', endParagraph],
  ['P', endParagraph],
  ['LP', endParagraph],
  ['HP', endParagraph],
  ['sp', (_, blocks) => blocks.endParagraph()],
  ['Sp', (_, blocks) => blocks.endParagraph()],
  ['br', (_, blocks) => blocks.lineBreak()],
  ['TP', (_, blocks) => blocks.term()],
  ['TQ', (_, blocks) => blocks.term()],
  ['IP', indentedParagraph],
  ['bP', (_, blocks) => blocks.item('ul', '')],
  ['RS', (_, blocks) => blocks.indent()],
  ['RE', (_, blocks) => blocks.outdent()],
  ['nf', startCode],
  ['EX', startCode],
  ['Vb', startCode],
  ['fi', endCode],
  ['EE', endCode],
  ['Ve', endCode],
  ['B', inFont('B')],
  ['I', inFont('I')],
  ['SM', inFont('R')],
  ['SB', inFont('B')],
  ['R', inFont('R')],
  ['BR', alternating('B', 'R')],
  ['RB', alternating('R', 'B')],
  ['BI', alternating('B', 'I')],
  ['IB', alternating('I', 'B')],
  ['IR', alternating('I', 'R')],
  ['RI', alternating('R', 'I')],
  ['SY', ({ args }, blocks, strings) => blocks.inline(roffHtml(args.join(' '), strings, 'B'), args.join(' '))],
  ['YS', endParagraph],
  [
    'OP',
    ({ args }, blocks, strings) => {
      const [option = '', value = ''] = args;
      const html = `[${roffHtml(option, strings, 'B')}${value === '' ? '' : ` ${roffHtml(value, strings, 'I')}`}]`;
      blocks.inline(html, `[${roffPlain(args.join(' '), strings)}]`);
    },
  ],
  ['UR', ({ args }, blocks, strings) => blocks.link(roffPlain(args[0] ?? '', strings))],
  ['MT', ({ args }, blocks, strings) => blocks.link(`mailto:${roffPlain(args[0] ?? '', strings)}`)],
  ['UE', endLink],
  ['ME', endLink],
]);

function endLink({ args }: Request, blocks: ManBlocks, strings: Strings): void {
  blocks.link(null);
  const [after = ''] = args;
  if (after !== '') blocks.inline(roffHtml(after, strings), after);
}
