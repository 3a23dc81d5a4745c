// Runs of more than three identical lines, as in generated tables and logs, are written once with a count. It can be
// undone: an imported chunk has its own text again, and so its own id.

const MARK = '@llmx-repeat ';
const MOST_WRITTEN_OUT = 3;

/** `@llmx-repeat 9` says that the line above it comes nine more times. */
export function compactRepeats(text: string): string {
  const lines = text.split('\n');
  const written: string[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    let end = at + 1;
    while (end < lines.length && lines[end] === line) end += 1;
    const run = end - at;
    if (run > MOST_WRITTEN_OUT) written.push(escaped(line), `${MARK}${run - 1}`);
    else for (let times = 0; times < run; times += 1) written.push(escaped(line));
    at = end;
  }
  return written.join('\n');
}

/** The inverse. Null where a count is no number or the text would grow beyond `maxChars`. */
export function expandRepeats(text: string, maxChars: number): string | null {
  const lines: string[] = [];
  let room = maxChars;
  for (const line of text.split('\n')) {
    const times = line.startsWith(MARK) ? countOf(line) : 1;
    const repeated = line.startsWith(MARK) ? lines.at(-1) : unescaped(line);
    if (times === null || repeated === undefined) return null;
    room -= times * (repeated.length + 1);
    if (room < -1) return null;
    for (let nth = 0; nth < times; nth += 1) lines.push(repeated);
  }
  return lines.join('\n');
}

function countOf(line: string): number | null {
  const digits = line.slice(MARK.length);
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : null;
}

/** A text that speaks of the mark itself gets a backslash before it, or one more. */
function escaped(line: string): string {
  return line.replace(/^\\*(?=@llmx-repeat )/, '\\$&');
}

function unescaped(line: string): string {
  return line.replace(/^\\(?=\\*@llmx-repeat )/, '');
}
