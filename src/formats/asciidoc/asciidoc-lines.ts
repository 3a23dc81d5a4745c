// Lines of AsciiDoc before blocks are read: conditions, section titles, and where a paragraph ends.

const CONDITION = /^(ifdef|ifndef|ifeval|endif)::([^[]*)\[(.*)\]$/;
const MAX_CONDITIONS = 64;

/**
 * Keeps the lines whose conditions hold for a page on the web. Attributes that the file itself defines are known; all
 * others, such as those of a build, are not set.
 */
export function applyConditions(lines: readonly string[]): readonly string[] {
  const known = new Set(['backend-html5', 'basebackend-html', 'asciidoctor', 'html']);
  const retained: string[] = [];
  const open: boolean[] = [];
  for (const line of lines) {
    const condition = CONDITION.exec(line);
    if (condition !== null) {
      const text = decide(condition, known, open);
      if (text !== null) retained.push(text);
    } else if (open.every(Boolean)) {
      retained.push(line);
      const [, defined] = /^:([\w-]+):/.exec(line) ?? [];
      if (defined !== undefined) known.add(defined.toLowerCase());
    }
  }
  return retained;
}

/** Opens or closes a condition; returns the text of one that has it in its brackets and holds. */
function decide(
  [, kind, names = '', text = '']: RegExpExecArray,
  known: ReadonlySet<string>,
  open: boolean[],
): string | null {
  if (kind === 'endif') {
    open.pop();
    return null;
  }
  const holds = kind !== 'ifeval' && conditionHolds(names, known) === (kind === 'ifdef');
  const isBlock = kind === 'ifeval' || text === '';
  if (isBlock && open.length < MAX_CONDITIONS) open.push(holds);
  return !isBlock && holds && open.every(Boolean) ? text : null;
}

function conditionHolds(names: string, known: ReadonlySet<string>): boolean {
  const isSet = (name: string): boolean => known.has(name.trim().toLowerCase());
  return names.includes('+') ? names.split('+').every(isSet) : names.split(',').some(isSet);
}

const UNDERLINES = '=-~^+';

interface SectionTitle {
  readonly level: number;
  readonly title: string;
  readonly end: number;
}

/** `== Title`, or `Title` over a row of `=`, `-`, `~`, `^` or `+` that is as long. */
export function sectionTitle(lines: readonly string[], at: number): SectionTitle | null {
  const line = lines[at] ?? '';
  const [, marks, title = ''] = /^(={1,6}|#{1,6}) +(\S.*?)(?: +\1)?$/.exec(line) ?? [];
  if (marks !== undefined) return { level: marks.length, title, end: at + 1 };
  const under = lines[at + 1] ?? '';
  if (!/^([=~^+-])\1+$/.test(under) || Math.abs(line.length - under.length) > 2) return null;
  if (!/[\p{L}\p{N}]/u.test(line) || /^[\s.[|]/.test(line)) return null;
  return { level: UNDERLINES.indexOf(under.charAt(0)) + 1, title: line, end: at + 2 };
}

/** Whether a line ends the paragraph above it. */
export function startsBlock(lines: readonly string[], at: number): boolean {
  const line = lines[at] as string;
  return /^(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|--|`{3,}[\w+-]*|[|,:!]={3,}|\[(?:\[[^\]]+\]|[^[\]]*)\]|\/\/.*)$/.test(
    line,
  );
}

/** The titles of sections that have an id above them, for references. */
export function collectTitles(lines: readonly string[]): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const [, id] = /^\[(?:\[([^\],]+)[^\]]*\]|#([\w:.-]+))\]$/.exec(line)?.filter(Boolean) ?? [];
    if (id === undefined) continue;
    const next = lines[at + 1] ?? '';
    const title = sectionTitle(lines, at + 1)?.title ?? (/^\.[^\s.]/.test(next) ? next.slice(1) : undefined);
    if (title !== undefined) titles.set(id, title);
  }
  return titles;
}
