// Explicit markup of reStructuredText: everything that begins with two dots.

import { escapeHtml } from '../../core/extract/html/write/escape-markdown.ts';
import { csvRows } from '../../core/extract/markup/csv-rows.ts';
import { admonition, codeBlock, paragraph, table } from '../../core/extract/markup/markup-document.ts';
import { dedent, endOfIndented, isBlank } from '../../core/extract/markup/indented-lines.ts';
import type { RstContext, Written } from './rst-context.ts';
import { alignFirst } from './rst-lists.ts';
import { listTableRows } from './rst-tables.ts';

export interface RstDirective {
  readonly name: string;
  /** The text after `::`, its lines joined. */
  readonly argument: string;
  readonly options: ReadonlyMap<string, string>;
  readonly content: readonly string[];
}

export function writeExplicit(lines: readonly string[], at: number, context: RstContext): Written | null {
  const line = lines[at] as string;
  if (!/^\.\.(?: |$)/.test(line)) return null;
  // Two dots alone are a comment that ends here: what is indented below is a quotation.
  if (line === '..' && isBlank(lines[at + 1])) return { html: '', end: at + 1 };
  const end = endOfIndented(lines, at + 1, 1);
  const body = lines.slice(at + 1, end);
  const text = line.slice(3);
  const [, footnote, note = ''] = /^\[(\d+|#[\w.-]*|\*|[A-Za-z][\w.-]*)\] ?(.*)$/.exec(text) ?? [];
  if (footnote !== undefined) {
    const content = context.blocks(alignFirst([note, ...body]));
    return { html: `<dl><dt>[${escapeHtml(footnote)}]</dt><dd>${content}</dd></dl>\n`, end };
  }
  const [, name, argument = ''] = /^(?:\|[^|]+\| +)?([A-Za-z][\w:+.-]*?) ?::(?: +(.*))?$/.exec(text) ?? [];
  if (name === undefined || text.startsWith('|')) return { html: '', end };
  return { html: writeDirective(directiveOf(name, argument, body), context), end };
}

function directiveOf(name: string, first: string, body: readonly string[]): RstDirective {
  const lines = [...body];
  const argument = [first];
  while (continuesArgument(lines, first)) argument.push((lines.shift() as string).trim());
  const options = takeOptions(lines);
  return { name: name.toLowerCase(), argument: argument.join(' ').trim(), options, content: dedent(lines) };
}

/** The lines before the first blank one are the rest of the argument, and then the options. */
function continuesArgument(lines: readonly string[], first: string): boolean {
  const [line] = lines;
  return first !== '' && line !== undefined && !isBlank(line) && !isOption(line) && hasOptionsBelow(lines);
}

/** Removes the options from the lines. */
function takeOptions(lines: string[]): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (let last = ''; lines.length > 0 && !isBlank(lines[0]); lines.shift()) {
    const line = lines[0] as string;
    const [, key, value = ''] = /^\s+:([\w-]+):(?: +(.*))?$/.exec(line) ?? [];
    if (key !== undefined) options.set((last = key), value);
    else if (last === '') break;
    else options.set(last, `${options.get(last)} ${line.trim()}`);
  }
  return options;
}

function isOption(line: string): boolean {
  return /^\s+:[\w-]+:(?: |$)/.test(line);
}

/** A second line of an argument is followed by options; a first line of content is not. */
function hasOptionsBelow(lines: readonly string[]): boolean {
  const blank = lines.findIndex((line) => isBlank(line));
  return lines.slice(0, blank === -1 ? lines.length : blank).some(isOption);
}

const ADMONITIONS: ReadonlyMap<string, string> = new Map(
  ['Attention', 'Caution', 'Danger', 'Error', 'Hint', 'Important', 'Note', 'Tip', 'Warning'].map((title) => [
    title.toLowerCase(),
    title,
  ]),
);
const VERSIONS: ReadonlyMap<string, string> = new Map([
  ['versionadded', 'Added in version'],
  ['versionchanged', 'Changed in version'],
  ['deprecated', 'Deprecated since version'],
  ['versionremoved', 'Removed in version'],
]);
const CODE = new Set(
  'code code-block sourcecode prompt ipython doctest testcode testoutput literalinclude parsed-literal math productionlist program-output cssclass-code highlight-code graphviz mermaid plantuml uml code-tab'.split(
    ' ',
  ),
);
const CONTENT = new Set(
  'container compound topic-content only ifconfig tabs tab tab-set tab-item grid grid-item card glossary hlist epigraph highlights pull-quote dropdown details centered cssclass rst-class flat-table'.split(
    ' ',
  ),
);
const DROPPED = new Set(
  'contents sectnum section-numbering index highlight currentmodule module meta role default-role raw date unicode header footer target-notes tabularcolumns include restructuredtext-test-directive kernel-doc kernel-include kernel-feat maintainers-include automodule autoclass autofunction automethod autosummary autodata autoexception autoattribute only-content todolist py:module py:currentmodule'.split(
    ' ',
  ),
);

function writeDirective(directive: RstDirective, context: RstContext): string {
  const { name, argument, content } = directive;
  const label = ADMONITIONS.get(name);
  if (label !== undefined) return admonition(name, label, argumentAndContent(directive, context));
  if (CODE.has(name)) return writeCode(directive, context);
  if (name === 'highlight') context.document.codeLanguage = argument === 'none' ? null : argument.split(' ')[0] || null;
  if (DROPPED.has(name)) return '';
  if (CONTENT.has(name)) return boldArgument(directive, context) + context.blocks(content);
  const version = VERSIONS.get(name);
  if (version !== undefined) return writeVersion(version, directive, context);
  const special = SPECIAL[name];
  return special === undefined ? writeOther(directive, context) : special(directive, context);
}

/** The label of a tab or box. The argument of `only` is a condition. */
function boldArgument({ name, argument }: RstDirective, { inline }: RstContext): string {
  return name === 'only' || name === 'ifconfig' ? '' : paragraph(argument && `<strong>${inline(argument)}</strong>`);
}

function argumentAndContent({ argument, content }: RstDirective, context: RstContext): string {
  // The first paragraph of an admonition may stand on the line of its name.
  const isOneParagraph = argument !== '' && content.length > 0 && !isBlank(content[0]);
  const first = isOneParagraph ? [argument, ...content] : argument === '' ? content : [argument, '', ...content];
  return context.blocks(first);
}

function writeCode({ name, argument, content, options }: RstDirective, { document, inline }: RstContext): string {
  const caption = options.get('caption');
  const before = caption === undefined ? '' : paragraph(inline(caption));
  if (name === 'math') return before + codeBlock([argument, ...content].join('\n').trim(), 'tex');
  const language =
    name === 'code' || name.startsWith('code-') || name === 'sourcecode' || name === 'literalinclude'
      ? (options.get('language') ?? argument.split(' ')[0] ?? null)
      : NAMED_LANGUAGES[name];
  const text =
    name === 'parsed-literal' ? [argument, ...content].join('\n').replace(/\\(.)/g, '$1') : content.join('\n');
  return before + codeBlock(text, language || document.codeLanguage);
}

const NAMED_LANGUAGES: Readonly<Record<string, string>> = {
  doctest: 'python',
  testcode: 'python',
  ipython: 'python',
  prompt: 'bash',
  graphviz: 'dot',
  mermaid: 'mermaid',
};

function writeVersion(label: string, { argument, content }: RstDirective, context: RstContext): string {
  const [, version = '', rest = ''] = /^(\S*)\s*([^]*)$/.exec(argument) ?? [];
  const text = [rest, ...content].join('\n').trim();
  const isParagraph = !content.some((line) => isBlank(line));
  const title = `<em>${label} ${escapeHtml(version)}</em>`;
  if (text === '') return paragraph(`${title}.`);
  return isParagraph
    ? paragraph(`${title}: ${context.inline(text)}`)
    : paragraph(`${title}:`) + context.blocks([rest, ...content]);
}

type DirectiveWriter = (directive: RstDirective, context: RstContext) => string;

const writeFigure: DirectiveWriter = ({ argument, options, content }, context) => {
  const image = `<img src="${escapeHtml(argument)}" alt="${escapeHtml(options.get('alt') ?? '')}">`;
  return paragraph(image) + context.blocks(content);
};

const writeTitled: DirectiveWriter = ({ argument, content }, context) =>
  `<blockquote>${paragraph(`<strong>${context.inline(argument)}</strong>`)}${context.blocks(content)}</blockquote>\n`;

const SPECIAL: Readonly<Record<string, DirectiveWriter>> = {
  admonition: ({ argument, content }, context) => admonition('note', context.inline(argument), context.blocks(content)),
  seealso: (directive, context) => admonition('seealso', 'See also', argumentAndContent(directive, context)),
  todo: (directive, context) => admonition('note', 'Todo', argumentAndContent(directive, context)),
  image: writeFigure,
  figure: writeFigure,
  topic: writeTitled,
  sidebar: writeTitled,
  rubric: ({ argument }, context) => paragraph(`<strong>${context.inline(argument)}</strong>`),
  title({ argument }, { document }) {
    document.title = argument || null;
    return '';
  },
  class: (directive, context) =>
    /^[A-Z][\w.]*$|[(.]/.test(directive.argument) ? writeOther(directive, context) : context.blocks(directive.content),
  replace: () => '',
  toctree: ({ options, content }, context) => writeToctree(options.get('caption') ?? '', content, context),
  table: ({ argument, content }, context) => paragraph(context.inline(argument)) + context.blocks(content),
  'list-table': ({ argument, options, content }, context) =>
    table(
      listTableRows(content).map((row) => row.map((cell) => ({ html: context.blocks(cell) }))),
      Number(options.get('header-rows')) || 0,
      context.inline(argument),
    ),
  'csv-table': ({ argument, options, content }, context) => {
    const delimiter = options.get('delim');
    const head = options.get('header');
    const rows = csvRows(
      [...(head === undefined ? [] : [head]), ...content].join('\n'),
      delimiter === 'tab' ? '\t' : (delimiter ?? ','),
    );
    const headRows = (head === undefined ? 0 : 1) + (Number(options.get('header-rows')) || 0);
    return table(
      rows.map((row) => row.map((cell) => ({ html: context.inline(cell) }))),
      headRows,
      context.inline(argument),
    );
  },
};

/** The pages of a table of contents, as links that can be followed in a folder. */
function writeToctree(caption: string, content: readonly string[], context: RstContext): string {
  const items = content.flatMap((line) => {
    const [, title, target = line.trim()] = /^\s*(.*?)\s*<([^<>]+)>$/.exec(line) ?? [];
    if (target === '' || target === 'self' || /[*?]/.test(target)) return [];
    const href = /^[a-z]+:|\.\w+$/.test(target) ? target : `${target}.rst`;
    return [`<li><a href="${escapeHtml(href)}">${escapeHtml(title || target)}</a></li>`];
  });
  return (
    (caption === '' ? '' : paragraph(context.inline(caption))) +
    (items.length === 0 ? '' : `<ul>${items.join('\n')}</ul>\n`)
  );
}

/** Objects of a domain, such as `py:function`, are a signature with its description; anything else is only its content. */
function writeOther({ name, argument, content }: RstDirective, context: RstContext): string {
  const isObject = name.includes(':') || OBJECTS.has(name);
  if (!isObject) return context.blocks(content);
  const id = /(?:^|\s)([\w.]+)\s*(?:\(|$)/.exec(argument)?.[1];
  const term = `<dt${id === undefined ? '' : ` id="${escapeHtml(id)}"`}><code>${escapeHtml(argument.replaceAll('\\', ''))}</code></dt>`;
  return `<dl class="py function">${term}<dd>${context.blocks(content)}</dd></dl>\n`;
}

const OBJECTS = new Set(
  'function class method staticmethod classmethod attribute data exception decorator property option cmdoption program envvar confval describe object setting directive role macro type var struct member enum opcode pdbcommand c:function'.split(
    ' ',
  ),
);
