// Where the lines of a text begin.

/** The line breaks before `end`. */
export function countLineBreaks(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The beginning of the line if only spaces and tabs precede the offset; otherwise the offset. */
export function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && (text.charCodeAt(start - 1) === 0x20 || text.charCodeAt(start - 1) === 0x09)) start -= 1;
  return start === 0 || text.charCodeAt(start - 1) === 0x0a ? start : at;
}
