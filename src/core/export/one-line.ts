// Foreign text in a line of ours: a title must not end the line, start a list or turn the reading direction.

// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]+/gu;

export function oneLine(text: string, maxChars = 200): string {
  const line = text
    .slice(0, maxChars * 4)
    .replaceAll(UNSEEN, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).trimEnd()}…`;
}
