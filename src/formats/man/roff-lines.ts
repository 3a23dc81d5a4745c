// The lines of a roff source: comments dropped, conditions decided, strings and macros of the page itself expanded within a
// budget, because a macro may call itself forever.

export type RoffLine =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'request'; readonly name: string; readonly args: readonly string[]; readonly rest: string };

export interface RoffSource {
  readonly lines: readonly RoffLine[];
  /** Values of `\*(xx`. */
  readonly strings: ReadonlyMap<string, string>;
}

const MAX_EXPANDED_LINES = 20_000;
const MAX_MACROS = 300;
const MAX_MACRO_LINES = 500;
const MAX_CALL_DEPTH = 8;

/** Requests that lay out or configure: nothing of them is text. */
const IGNORED = new Set(
  'ad hy nh na ne ll in ti ft ss cs lg ps vs tr hw hc ta rr rm nr rn als ev fp fam lf mso nop ns os pl po rs rt sv tm warn wh it em ex cu ul bp ce ec eo cc c2 pc mk lc eqn kern color defcolor hcode PD DT IX AT UC ch di da as bd char fl hla nx pm rd shift while return do open write close sy pi trf cf'.split(
    ' ',
  ),
);

interface State {
  readonly lines: RoffLine[];
  readonly strings: Map<string, string>;
  readonly macros: Map<string, readonly string[]>;
  expanded: number;
  lastCondition: boolean;
}

export function readRoff(text: string): RoffSource {
  const state: State = { lines: [], strings: new Map(), macros: new Map(), expanded: 0, lastCondition: false };
  // A backslash at the end of a line continues it.
  const source = text.replace(/(^|[^\\])((?:\\\\)*)\\\n/g, '$1$2').split('\n');
  readLines(source, state, 0);
  return { lines: state.lines, strings: state.strings };
}

function readLines(source: readonly string[], state: State, depth: number): void {
  for (let at = 0; at < source.length;) at = readLine(source, at, state, depth);
}

function readLine(source: readonly string[], at: number, state: State, depth: number): number {
  const line = source[at] as string;
  if (!/^[.'][ \t]*[^\s.']|^[.']$/.test(line)) {
    state.lines.push({ kind: 'text', text: withoutComment(line) });
    return at + 1;
  }
  const body = withoutComment(line.slice(1)).trim();
  const [, name = '', rest = ''] = /^(\\?[^\s\\]*)[ \t]*([^]*)$/.exec(body) ?? [];
  if (DEFINITIONS.has(name)) return defineMacro(source, at, { name, rest }, state);
  if (CONDITIONS.has(name)) return readCondition(source, at, { name, rest, state, depth });
  if (name === 'ds') defineString(rest, state);
  else if (name !== '' && name !== '\\}') call({ name, rest }, state, depth);
  return at + 1;
}

const DEFINITIONS = new Set(['de', 'de1', 'am', 'ig']);
const CONDITIONS = new Set(['if', 'ie', 'el']);

interface Call {
  readonly name: string;
  readonly rest: string;
}

function withoutComment(line: string): string {
  const found = /(?<!\\)(?:\\\\)*\\["#]/.exec(line);
  return found === null ? line : line.slice(0, found.index + found[0].length - 2);
}

function defineMacro(source: readonly string[], at: number, request: Call, { macros }: State): number {
  const [name = '', endMark = '.'] = request.rest.trim().split(/\s+/);
  const isIgnored = request.name === 'ig';
  const mark = isIgnored ? name || '.' : endMark;
  let end = at + 1;
  while (end < source.length && !isEndOfMacro(source[end] as string, mark)) end += 1;
  if (!isIgnored && macros.size < MAX_MACROS)
    macros.set(name, source.slice(at + 1, Math.min(end, at + 1 + MAX_MACRO_LINES)));
  return end + 1;
}

function isEndOfMacro(line: string, mark: string): boolean {
  return line.startsWith('.') && line.slice(1).trim() === mark;
}

function defineString(rest: string, { strings }: State): void {
  const [, name = '', value = ''] = /^(\S+)[ \t]*"?([^]*)$/.exec(rest) ?? [];
  if (strings.size < 1000 && !PRESET_STRINGS.has(name)) strings.set(name, value.slice(0, 1000));
}

/** Strings that pages define with typesetting tricks. */
export const PRESET_STRINGS: ReadonlyMap<string, string> = new Map([
  ['L"', '"'],
  ['R"', '"'],
  ['C`', '"'],
  ["C'", '"'],
  ['C+', 'C++'],
  ['--', '--'],
  ['PI', 'pi'],
  ['lq', '“'],
  ['rq', '”'],
  ['Aq', "'"],
  ['R', '®'],
  ['Tm', '™'],
]);

interface Condition extends Call {
  readonly state: State;
  readonly depth: number;
}

function readCondition(source: readonly string[], at: number, { name, rest, state, depth }: Condition): number {
  const { holds, body } = name === 'el' ? { holds: !state.lastCondition, body: rest } : decide(rest);
  if (name === 'ie') state.lastCondition = holds;
  const isBlock = body.startsWith('\\{');
  if (!isBlock) {
    if (holds && body !== '' && depth < MAX_CALL_DEPTH) readLines([body], state, depth + 1);
    return at + 1;
  }
  const end = endOfBlock(source, at, body);
  if (holds && depth < MAX_CALL_DEPTH) {
    const first = body.slice(2).trim();
    const inner = [...(first === '' ? [] : [first]), ...source.slice(at + 1, end)];
    readLines(
      inner.map((line) => line.replace(/\\\}\s*$/, '')),
      state,
      depth + 1,
    );
  }
  return end;
}

/** The terminal is the device: `n` holds and `t` does not. Registers are taken as set, because only groff's are asked for. */
function decide(rest: string): { readonly holds: boolean; readonly body: string } {
  const isNegated = rest.startsWith('!');
  const text = isNegated ? rest.slice(1) : rest;
  const [whole = '', letter, quote, left, right, number] =
    /^(?:([note])(?=\s|\\)|(["'])([^"']*)\2([^"']*)\2|((?:\\n(?:\(..|\[[^\]]*\]|.)|\([^)]*\)|[\d.+\-*/<>=&:|]){1,60}))\s*/.exec(
      text,
    ) ?? [];
  const holds =
    letter !== undefined
      ? letter === 'n' || letter === 'o'
      : quote !== undefined
        ? left === right
        : number !== undefined && /^\\n\(\.g$|^\\n\[?\.g\]?$|^1$/.test(number.trim());
  const body = (whole === '' ? text.replace(/^\S+\s*/, '') : text.slice(whole.length)).trim();
  return { holds: holds !== isNegated, body };
}

function endOfBlock(source: readonly string[], at: number, body: string): number {
  let open = braces(body);
  let end = at + 1;
  while (open > 0 && end < source.length) {
    open += braces(source[end] as string);
    end += 1;
  }
  return end;
}

function braces(line: string): number {
  return (line.match(/\\\{/g)?.length ?? 0) - (line.match(/\\\}/g)?.length ?? 0);
}

/** Macros that this reader knows are not replaced by the page's definition of them. */
const KNOWN = new Set(
  'Vb Ve Sp EX EE UR UE MT ME SY YS OP TP IP PP P LP HP RS RE SH SS TH B I BR RB BI IB IR RI SM SB TQ bP QS QE ZN'.split(
    ' ',
  ),
);

function call({ name, rest }: Call, state: State, depth: number): void {
  if (IGNORED.has(name)) return;
  const args = splitArgs(rest);
  const macro = KNOWN.has(name) ? undefined : state.macros.get(name);
  if (macro === undefined) {
    state.lines.push({ kind: 'request', name, args, rest });
    return;
  }
  if (depth >= MAX_CALL_DEPTH || state.expanded >= MAX_EXPANDED_LINES) return;
  state.expanded += macro.length;
  readLines(
    macro.map((line) => fillArgs(line, args)),
    state,
    depth + 1,
  );
}

function fillArgs(line: string, args: readonly string[]): string {
  return line
    .replaceAll('\\\\', '\\')
    .replace(/\\\$([*@]|\d)/g, (_, which: string) =>
      which === '*' || which === '@' ? args.join(' ') : (args[Number(which) - 1] ?? ''),
    )
    .slice(0, 4000);
}

/** Arguments between spaces; in double quotes two of them are one. */
export function splitArgs(rest: string): readonly string[] {
  const args: string[] = [];
  for (const [, quoted, plain] of rest.matchAll(/"((?:[^"]|""){0,4000})(?:"|$)|((?:\\ |[^\s"]|(?<=\S)")+)/g))
    args.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
  return args;
}
