// The part of an included file that an include asks for: by line numbers, by tags, or between two texts.

export function selectLines(text: string, options: ReadonlyMap<string, string>): string {
  const tags = options.get('tags') ?? options.get('tag');
  const ranges = options.get('lines');
  if (tags !== undefined) return taggedLines(text, tags);
  if (ranges !== undefined) return numberedLines(text, ranges);
  return between(
    text
      .split('\n')
      .filter((line) => !TAG.test(line))
      .join('\n'),
    options,
  );
}

/** Tags or ranges of one include. */
const MAX_PARTS = 50;
const TAG = /\b(?:tag|end)::([\w-]+)\[\]/;

function taggedLines(text: string, tags: string): string {
  const names = tags.split(/[;,]/).slice(0, MAX_PARTS);
  const wanted = names.map((tag) => tag.trim());
  const open = new Set<string>();
  const retained: string[] = [];
  for (const line of text.split('\n')) {
    const [mark, name] = TAG.exec(line) ?? [];
    if (name === undefined) {
      if (wanted.some((tag) => open.has(tag) || tag === '**')) retained.push(line);
    } else if (mark?.startsWith('tag') === true) open.add(name);
    else open.delete(name);
  }
  return retained.join('\n');
}

/** `1..10;15..-1`, or `1-10,15-`. Together no more lines than the file has, however often a range repeats. */
function numberedLines(text: string, ranges: string): string {
  const lines = text.split('\n');
  let selected: string[] = [];
  for (const range of ranges.split(/[;,]/).slice(0, MAX_PARTS)) {
    const [, first = '', separator, last = ''] = /^\s*(\d*)(\.\.|-)?(-?\d*)\s*$/.exec(range) ?? [];
    const from = Math.max(1, Number(first) || 1);
    const to = separator === undefined ? from : last === '' || last === '-1' ? lines.length : Number(last);
    const left = lines.length - selected.length;
    selected = selected.concat(lines.slice(from - 1, Math.min(to, from - 1 + left)));
  }
  return selected.join('\n');
}

function between(text: string, options: ReadonlyMap<string, string>): string {
  const startLine = Number(options.get('start-line'));
  const endLine = Number(options.get('end-line'));
  let part = text;
  if (options.has('start-line') || options.has('end-line'))
    part = text
      .split('\n')
      .slice(startLine || 0, options.has('end-line') ? endLine : undefined)
      .join('\n');
  const after = options.get('start-after');
  const before = options.get('end-before');
  if (after !== undefined && part.includes(after)) part = part.slice(part.indexOf(after) + after.length);
  return before !== undefined && part.includes(before) ? part.slice(0, part.indexOf(before)) : part;
}
