// The blocks of reStructuredText, recognized by their first line.

import { codeBlock, heading, paragraph } from '../../core/extract/markup/markup-document.ts';
import { dedent, endOfIndented, endOfParagraph, indentOf, isBlank } from '../../core/extract/markup/indented-lines.ts';
import type { RstContext, Written } from './rst-context.ts';
import { writeExplicit } from './rst-directives.ts';
import { writeRstList } from './rst-lists.ts';
import { writeRstTable } from './rst-tables.ts';

type BlockWriter = (lines: readonly string[], at: number, context: RstContext) => Written | null;

const WRITERS: readonly BlockWriter[] = [
  writeQuote,
  writeOverlined,
  writeRstTable,
  writeSection,
  writeExplicit,
  writeAnonymousTarget,
  writeRstList,
  writeDoctest,
  writeLineBlock,
  writeTransition,
  writeDefinitions,
  writeParagraph,
];

export function writeRstBlocks(lines: readonly string[], context: RstContext): string {
  const parts: string[] = [];
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const written = firstWritten(lines, at, context);
    parts.push(written.html);
    at = Math.max(at + 1, written.end);
  }
  return parts.join('');
}

function firstWritten(lines: readonly string[], at: number, context: RstContext): Written {
  for (const write of WRITERS) {
    const written = write(lines, at, context);
    if (written !== null) return written;
  }
  return { html: '', end: at + 1 };
}

function writeQuote(lines: readonly string[], at: number, context: RstContext): Written | null {
  if (indentOf(lines[at] as string) === 0) return null;
  const end = endOfIndented(lines, at, 1);
  return { html: `<blockquote>${context.blocks(lines.slice(at, end))}</blockquote>\n`, end };
}

const ADORNMENT = /^([!-/:-@[-`{-~])\1*$/;

function writeOverlined(lines: readonly string[], at: number, context: RstContext): Written | null {
  const over = lines[at] as string;
  const title = lines[at + 1];
  if (!ADORNMENT.test(over) || over.length < 2 || isBlank(title) || lines[at + 2] !== over) return null;
  if (ADORNMENT.test((title as string).trim()) && over.length < 4) return null;
  return { html: section((title as string).trim(), `${over[0]}${over[0]}`, context), end: at + 3 };
}

function writeSection(lines: readonly string[], at: number, context: RstContext): Written | null {
  const title = lines[at] as string;
  const under = lines[at + 1] ?? '';
  if (!ADORNMENT.test(under) || context.depth > 0) return null;
  // A short line under a long text is a dash of the text.
  if (under.length < Math.min(4, title.length)) return null;
  if (ADORNMENT.test(title)) return null;
  return { html: section(title.trim(), under[0] as string, context), end: at + 2 };
}

function section(title: string, style: string, { sectionStyles, inline }: RstContext): string {
  if (!sectionStyles.includes(style)) sectionStyles.push(style);
  return heading(sectionStyles.indexOf(style) + 1, inline(title));
}

function writeAnonymousTarget(lines: readonly string[], at: number): Written | null {
  return /^__ \S+$/.test(lines[at] as string) ? { html: '', end: at + 1 } : null;
}

function writeDoctest(lines: readonly string[], at: number): Written | null {
  if (!/^>>>(?: |$)/.test(lines[at] as string)) return null;
  const end = endOfParagraph(lines, at);
  return { html: codeBlock(lines.slice(at, end).join('\n'), 'python'), end };
}

function writeLineBlock(lines: readonly string[], at: number, { inline }: RstContext): Written | null {
  if (!/^\|(?: |$)/.test(lines[at] as string)) return null;
  const end = endOfParagraph(lines, at);
  const texts: string[] = [];
  for (const line of lines.slice(at, end)) {
    if (/^\|(?: |$)/.test(line)) texts.push(line.slice(2).trim());
    else texts.push(`${texts.pop() ?? ''} ${line.trim()}`);
  }
  return { html: paragraph(texts.map(inline).join('<br>')), end };
}

function writeTransition(lines: readonly string[], at: number): Written | null {
  const line = lines[at] as string;
  return ADORNMENT.test(line) && line.length >= 4 && isBlank(lines[at + 1]) ? { html: '<hr>\n', end: at + 1 } : null;
}

function isTerm(lines: readonly string[], at: number): boolean {
  const next = lines[at + 1];
  const line = lines[at];
  return !isBlank(line) && indentOf(line as string) === 0 && !isBlank(next) && indentOf(next as string) > 0;
}

function writeDefinitions(lines: readonly string[], at: number, context: RstContext): Written | null {
  if (!isTerm(lines, at)) return null;
  const parts: string[] = [];
  let end = at;
  for (let next = at; isTerm(lines, next) && !/^(?:\.\. |[*+-] )/.test(lines[next] as string);) {
    end = endOfIndented(lines, next + 1, 1);
    const term = termHtml(lines[next] as string, context);
    parts.push(`<dt>${term}</dt><dd>${context.blocks(lines.slice(next + 1, end))}</dd>
`);
    next = end;
    while (next < lines.length && isBlank(lines[next])) next += 1;
  }
  return parts.length === 0 ? null : { html: `<dl>${parts.join('')}</dl>\n`, end };
}

/** `term : classifier` names the kind of a value. */
function termHtml(term: string, { inline }: RstContext): string {
  const [name = '', ...classifiers] = term.split(/ : /);
  return `${inline(name)}${classifiers.map((classifier) => `: <em>${inline(classifier)}</em>`).join('')}`;
}

function writeParagraph(lines: readonly string[], at: number, context: RstContext): Written {
  const end = endOfParagraph(lines, at);
  const text = lines.slice(at, end).join('\n').trim();
  if (!text.endsWith('::')) return { html: paragraph(context.inline(text)), end };
  const introduction = text === '::' ? '' : /\s::$/.test(text) ? text.slice(0, -2).trimEnd() : text.slice(0, -1);
  const literal = literalBlock(lines, end);
  const code = codeBlock(literal.text, context.document.codeLanguage);
  return { html: paragraph(context.inline(introduction)) + code, end: literal.end };
}

/** Indented, or every line with the same mark of a quotation. */
function literalBlock(lines: readonly string[], at: number): { readonly text: string; readonly end: number } {
  let start = at;
  while (start < lines.length && isBlank(lines[start])) start += 1;
  const first = lines[start] ?? '';
  if (first === '') return { text: '', end: start };
  const isQuoted = indentOf(first) === 0;
  if (isQuoted && !/^[!-/:-@[-`{-~]/.test(first)) return { text: '', end: at };
  const end = isQuoted ? endOfParagraph(lines, start) : endOfIndented(lines, start, 1);
  return { text: dedent(lines.slice(start, end)).join('\n'), end };
}
