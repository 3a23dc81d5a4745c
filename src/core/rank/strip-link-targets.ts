// A passage as an answer shows it: addresses of links and images cost tokens and are looked up on the page itself.

/** `[text](address)` becomes `text`. Code stays as it is. Linear: every character is looked at a fixed number of times. */
export function withoutLinkTargets(markdown: string): string {
  const lines = markdown.split('\n');
  let fence = '';
  return lines
    .map((line) => {
      const mark = fenceOf(line);
      if (fence === '' && mark !== '') fence = mark;
      else if (fence !== '' && mark.startsWith(fence)) fence = '';
      else if (fence === '') return plainLine(line);
      return line;
    })
    .join('\n');
}

function fenceOf(line: string): string {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
}

function plainLine(line: string): string {
  if (!line.includes('](')) return line;
  let out = '';
  let from = 0;
  for (let at = line.indexOf(']('); at !== -1; at = line.indexOf('](', from)) {
    const open = openingOf(line, from, at);
    const end = endOfTarget(line, at + 2);
    if (open === -1 || end === -1) {
      out += line.slice(from, at + 2);
      from = at + 2;
      continue;
    }
    const start = line.charAt(open - 1) === '!' && open - 1 >= from ? open - 1 : open;
    out += line.slice(from, start) + line.slice(open + 1, at);
    from = end;
  }
  return out + line.slice(from);
}

/** The bracket that the one at `close` closes, not before `from`. */
function openingOf(line: string, from: number, close: number): number {
  let depth = 1;
  for (let at = close - 1; at >= from; at -= 1) {
    const code = line.charCodeAt(at);
    if (code === 0x5d) depth += 1;
    else if (code === 0x5b) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

const LONGEST_TARGET = 500;

/** After the closing parenthesis, or -1 where what follows is no address. */
function endOfTarget(line: string, start: number): number {
  if (line.charCodeAt(start) === 0x3c) {
    const end = line.indexOf('>)', start);
    return end === -1 ? -1 : end + 2;
  }
  let depth = 1;
  for (let at = start; at < line.length && at - start < LONGEST_TARGET; at += 1) {
    const code = line.charCodeAt(at);
    if (code === 0x28) depth += 1;
    else if (code === 0x29) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}
