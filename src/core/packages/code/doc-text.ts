// Texts of doc comments and docstrings, as Markdown that cannot change the structure of the page around it.

import { indentOf } from '../../extract/markup/indented-lines.ts';

/** Rustdoc: Markdown with headings, and with lines of examples that are not shown. */
export function rustdocMarkdown(text: string): string {
  let fence: 'rust' | 'other' | null = null;
  const lines = text.split('\n').flatMap((line) => {
    const [, marker, info = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (marker !== undefined) {
      const isRust = /^\s*(?:rust|ignore|no_run|should_panic|compile_fail|edition\d+|,|\s)*\s*$/.test(info);
      fence = fence === null ? (isRust ? 'rust' : 'other') : null;
      return fence === 'rust' ? [`${line.slice(0, line.length - info.length)}rust`] : [line];
    }
    if (fence === 'rust') return /^\s*#(?: |$)/.test(line) ? [] : [line];
    return fence === null ? [proseLine(line)] : [line];
  });
  return closed(lines, fence !== null);
}

/** Go: paragraphs, lists, `# headings`, and indented code. */
export function godocMarkdown(text: string): string {
  const lines: string[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    const isIndented = /^(?:\t| {2,})\S/.test(line) && !/^\s+(?:[-*•]|\d+[.)]) /.test(line);
    if (isIndented !== isCode && line.trim() !== '') {
      if (isCode) trimEnd(lines);
      lines.push(isCode ? '```\n' : '\n```go');
      isCode = isIndented;
    }
    lines.push(isCode ? line : proseLine(line.trimStart() === line ? line : line.trim()));
  }
  if (isCode) trimEnd(lines);
  return closed(lines, isCode);
}

const FIELD =
  /^:(param|parameter|arg|argument|key|keyword|raises?|except|returns?|rtype|type|var|ivar|cvar)\s*([^:]{0,100}):\s*(.*)$/;
const DIRECTIVE = /^\.\. ([a-z-]+)::\s*(.*)$/;
const CODE_DIRECTIVES = new Set(['code-block', 'code', 'sourcecode', 'testcode', 'ipython', 'doctest']);

interface DocstringState {
  readonly lines: string[];
  /** Indentation of the code block that is open. */
  codeMargin: number | null;
  /** Whether indented text below is code. */
  awaitsCode: boolean;
}

/** A docstring: reStructuredText, Google or NumPy style, or plain text. Indented text is code only if it is marked as such. */
export function docstringMarkdown(raw: string): string {
  const state: DocstringState = { lines: [], codeMargin: null, awaitsCode: false };
  for (const line of dedentDocstring(raw)) {
    if (!continuesCode(state, line) && !beginsCode(state, line)) addDocstringLine(state, line);
  }
  if (state.codeMargin !== null) trimEnd(state.lines);
  return closed(state.lines, state.codeMargin !== null);
}

function continuesCode(state: DocstringState, line: string): boolean {
  const { codeMargin, lines } = state;
  if (codeMargin === null) return false;
  if (line.trim() === '' || indentOf(line) >= codeMargin) {
    lines.push(line.slice(codeMargin));
    return true;
  }
  trimEnd(lines);
  lines.push('```', '');
  state.codeMargin = null;
  return false;
}

/** Indented text after `::`, or an indented prompt. */
function beginsCode(state: DocstringState, line: string): boolean {
  const margin = indentOf(line);
  const isCode = margin > 0 && line.trim() !== '' && (state.awaitsCode || line.trim().startsWith('>>> '));
  if (!isCode) return false;
  state.codeMargin = margin;
  state.awaitsCode = false;
  state.lines.push('', '```python', line.slice(margin));
  return true;
}

function addDocstringLine(state: DocstringState, line: string): void {
  const bare = line.trim();
  if (bare === '') {
    state.lines.push('');
    return;
  }
  const [, directive, argument = ''] = DIRECTIVE.exec(bare) ?? [];
  state.awaitsCode = directive === undefined ? bare.endsWith('::') : CODE_DIRECTIVES.has(directive);
  if (directive === undefined)
    state.lines.push(docstringLine(state.awaitsCode ? bare.slice(0, -1) : bare, indentOf(line)));
  else if (!state.awaitsCode) state.lines.push('', directiveText(directive, argument), '');
}

function docstringLine(bare: string, margin: number): string {
  const [, field, name = '', text = ''] = FIELD.exec(bare) ?? [];
  if (field !== undefined) return `- ${fieldLabel(field, name.trim())}${inlineRst(text)}`;
  if (/^([=\-~^"'*+#])\1{2,}$/.test(bare)) return '';
  // An argument of Google style, such as `name (int): text`.
  const [, argument, type = '', rest] =
    margin > 0 ? (/^([*\w.]{1,60})( ?\([^()]{0,200}\))?: (.*)$/.exec(bare) ?? []) : [];
  if (argument !== undefined) return `- \`${argument}\`${type}: ${inlineRst(rest ?? '')}`;
  return proseLine(inlineRst(bare));
}

function fieldLabel(field: string, name: string): string {
  if (/^returns?$/.test(field)) return 'Returns: ';
  if (/^raises?$|^except$/.test(field)) return `Raises \`${name}\`: `;
  if (field === 'rtype') return 'Return type: ';
  return `${field} \`${name}\`: `;
}

function directiveText(directive: string, argument: string): string {
  const labels: Readonly<Record<string, string>> = {
    versionadded: 'Added in',
    versionchanged: 'Changed in',
    deprecated: 'Deprecated since',
  };
  return `${labels[directive] ?? `${directive.charAt(0).toUpperCase()}${directive.slice(1)}:`} ${inlineRst(argument)}`.trim();
}

function inlineRst(text: string): string {
  return text
    .replaceAll(/:[\w:+-]{1,30}:`~?([^`<>]{1,200})(?:<[^`<>]{0,200}>)?`/g, (_, name: string) => `\`${name.trim()}\``)
    .replaceAll(/``([^`]{1,400})``/g, '`$1`')
    .replaceAll(/`([^`<>]{1,200}) <([^`<>\s]{1,400})>`__?/g, '[$1]($2)');
}

/** The first line of a docstring follows the quotes; the others share an indentation. */
function dedentDocstring(raw: string): readonly string[] {
  const [first = '', ...rest] = raw.replaceAll('\r', '').replaceAll('\t', '    ').split('\n');
  const margins = rest.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const margin = margins.reduce((least, own) => Math.min(least, own), Infinity);
  return [first.trim(), ...rest.map((line) => line.slice(margin === Infinity ? 0 : margin).trimEnd())];
}

/** A line outside code: no heading, no comment, no rule. */
function proseLine(line: string): string {
  const heading = /^\s{0,3}#{1,6}\s+(\S.*)$/.exec(line)?.[1];
  if (heading !== undefined) return `**${heading.replaceAll('*', '')}**`;
  if (/^\s*(?:=+|-+)\s*$/.test(line)) return '';
  return line.replaceAll('<!--', '&lt;!--');
}

function trimEnd(lines: string[]): void {
  while (lines.at(-1)?.trim() === '') lines.pop();
}

function closed(lines: readonly string[], isOpen: boolean): string {
  const text = (isOpen ? [...lines, '```'] : lines).join('\n');
  return text.replaceAll(/\n{3,}/g, '\n\n').trim();
}
