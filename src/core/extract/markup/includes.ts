// Includes of text formats: `.. include::` and `.. literalinclude::` of reStructuredText, `include::` of AsciiDoc, `.so` of
// manual pages. The included text replaces the line before the file is extracted. Only files of the same folder can be
// named: a path that leaves it, an absolute path of the system and a URL are left out.

import { dedent } from './indented-lines.ts';
import { selectLines } from './included-lines.ts';

/** The file at a path below the folder; null if it does not exist or may not be read. */
export type ReadIncluded = (path: string) => Promise<string | null>;

export interface IncludeLimits {
  /** Files inside files. */
  readonly maxDepth: number;
  readonly maxFiles: number;
  /** Characters of the result. */
  readonly maxChars: number;
}

export const INCLUDE_LIMITS: IncludeLimits = { maxDepth: 8, maxFiles: 200, maxChars: 8_000_000 };

export type IncludeRefusal = 'outside-folder' | 'not-found' | 'cycle' | 'too-deep' | 'too-many';

export interface Expanded {
  readonly text: string;
  /** Files that were included. */
  readonly included: number;
  readonly refused: ReadonlyArray<{ readonly target: string; readonly reason: IncludeRefusal }>;
}

const EXTENSIONS = /\.(?:rst|rest|inc|txt|adoc|asciidoc|asc|man|mdoc|[1-9][a-z]{0,4})$/i;
const ANY_INCLUDE = /^(?:include::|[ \t]*\.\. (?:literal)?include::|\.so )/m;

/** Whether a file is of a format that has includes. */
export function canInclude(path: string): boolean {
  return EXTENSIONS.test(path);
}

export function hasInclude(text: string): boolean {
  return ANY_INCLUDE.test(text);
}

interface State {
  readonly read: ReadIncluded;
  readonly limits: IncludeLimits;
  readonly refused: Array<Expanded['refused'][number]>;
  files: number;
  chars: number;
}

export async function expandIncludes(
  path: string,
  text: string,
  read: ReadIncluded,
  limits: IncludeLimits = INCLUDE_LIMITS,
): Promise<Expanded> {
  const state: State = { read, limits, refused: [], files: 0, chars: text.length };
  const expanded = await expand(text, [path], state);
  return { text: expanded, included: state.files, refused: state.refused };
}

/** `open` are the files that are being included, outermost first. */
async function expand(text: string, open: readonly string[], state: State): Promise<string> {
  const lines = text.split('\n');
  const out: string[] = [];
  for (let at = 0; at < lines.length;) {
    const include = includeAt(lines, at);
    if (include === null) {
      out.push(lines[at] as string);
      at += 1;
      continue;
    }
    const content = await included(include, open, state);
    // One by one: a spread puts every line on the stack.
    for (const line of content ?? []) out.push(line);
    at = include.end;
  }
  return out.join('\n');
}

interface Include {
  readonly kind: 'rst' | 'rst-code' | 'asciidoc' | 'man';
  readonly target: string;
  readonly indent: string;
  readonly options: ReadonlyMap<string, string>;
  /** The line after the directive. */
  readonly end: number;
}

function includeAt(lines: readonly string[], at: number): Include | null {
  const line = lines[at] as string;
  const end = at + 1;
  const [, asciidoc, list = ''] = /^include::([^[\s][^[]*)\[(.*)\]\s*$/.exec(line) ?? [];
  if (asciidoc !== undefined)
    return { kind: 'asciidoc', target: asciidoc, indent: '', options: asciidocOptions(list), end };
  const [, man] = /^\.so +(\S+)\s*$/.exec(line) ?? [];
  return man === undefined
    ? rstIncludeAt(lines, at)
    : { kind: 'man', target: man, indent: '', options: new Map(), end };
}

function rstIncludeAt(lines: readonly string[], at: number): Include | null {
  const match = /^([ \t]*)\.\. (include|literalinclude):: +(\S.*)$/.exec((lines[at] as string).trimEnd());
  if (match === null) return null;
  const [, indent, name, target] = match as unknown as readonly [string, string, string, string];
  const options = new Map<string, string>();
  let end = at + 1;
  for (; end < lines.length; end += 1) {
    const [, key, value = ''] = /^[ \t]+:([\w-]+):\s*(.*)$/.exec((lines[end] as string).trimEnd()) ?? [];
    if (key === undefined) break;
    options.set(key, value);
  }
  const isCode = name === 'literalinclude' || options.has('literal') || options.has('code');
  return { kind: isCode ? 'rst-code' : 'rst', target, indent, options, end };
}

function asciidocOptions(list: string): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of list.matchAll(/([\w-]+)=(?:"([^"]*)"|([^,"]*))/g))
    options.set(name, quoted ?? plain);
  return options;
}

async function included(include: Include, open: readonly string[], state: State): Promise<readonly string[] | null> {
  const refuse = (reason: IncludeRefusal): null => {
    if (state.refused.length < 100) state.refused.push({ target: include.target.slice(0, 200), reason });
    return null;
  };
  // Docutils' own definitions of characters, which stand in angle brackets, say nothing.
  if (include.target.startsWith('<')) return null;
  const path = resolvePath(include, open.at(-1) ?? '');
  if (path === null) return refuse('outside-folder');
  if (open.includes(path)) return refuse('cycle');
  if (open.length > state.limits.maxDepth) return refuse('too-deep');
  if (state.files >= state.limits.maxFiles) return refuse('too-many');
  const text = await state.read(path);
  if (text === null) return refuse('not-found');
  state.files += 1;
  state.chars += text.length;
  if (state.chars > state.limits.maxChars) return refuse('too-many');
  const selected = selectLines(text.replaceAll('\r\n', '\n'), include.options);
  const isCode = include.kind === 'rst-code';
  const lines = isCode ? dedent(selected.split('\n')) : (await expand(selected, [...open, path], state)).split('\n');
  // Every line is written with the indentation of the include.
  state.chars += include.indent.length * lines.length;
  if (state.chars > state.limits.maxChars) return refuse('too-many');
  return isCode ? codeLines(include, lines) : withOffset(include, indented(lines, include.indent));
}

function indented(lines: readonly string[], indent: string): readonly string[] {
  return lines.map((line) => (line === '' ? line : indent + line));
}

/** The path below the folder; null if it leads out of it. A leading slash means the folder itself, as in Sphinx. */
export function resolvePath({ kind, target }: Pick<Include, 'kind' | 'target'>, from: string): string | null {
  if (/^[a-z][\w+.-]*:|[\\\0]|\{/i.test(target)) return null;
  const folder = from.split('/').slice(0, -1);
  // `.so man3/x.3` is relative to the folder above the sections.
  const base = target.startsWith('/') ? [] : kind === 'man' && target.includes('/') ? folder.slice(0, -1) : folder;
  const segments = [...base];
  for (const segment of target.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.length === 0 ? null : segments.join('/');
}

function codeLines({ indent, options, target }: Include, lines: readonly string[]): readonly string[] {
  const language = options.get('language') ?? options.get('code') ?? /\.(\w{1,10})$/.exec(target)?.[1] ?? '';
  return [`${indent}.. code-block:: ${language}`.trimEnd(), '', ...indented(lines, `${indent}    `), ''];
}

function withOffset({ kind, options }: Include, lines: readonly string[]): readonly string[] {
  const offset = Number.parseInt(options.get('leveloffset') ?? '', 10);
  if (kind !== 'asciidoc' || !Number.isSafeInteger(offset) || offset === 0) return lines;
  const sign = offset > 0 ? ['+', '-'] : ['-', '+'];
  const step = Math.abs(offset);
  return ['', `:leveloffset: ${sign[0]}${step}`, '', ...lines, '', `:leveloffset: ${sign[1]}${step}`, ''];
}
