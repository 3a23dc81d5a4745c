// Where the front matter of a page ends: YAML between `---` lines or TOML between `+++` lines, at the very start.

const MAX_FRONT_MATTER_CHARS = 64_000;

/** Offset after the closing line; 0 if there is no front matter. */
export function frontMatterEnd(text: string): number {
  const marker = /^(?:---|\+\+\+)[ \t]*\n/.exec(text)?.[0];
  if (marker === undefined) return 0;
  const fence = marker.slice(0, 3);
  const limit = marker.length + MAX_FRONT_MATTER_CHARS;
  let isEmpty = true;
  let hasKey = false;
  for (let from = marker.length; from < text.length && from < limit;) {
    const feed = text.indexOf('\n', from);
    const end = feed === -1 ? text.length : feed;
    const line = text.slice(from, Math.min(end, limit));
    const closing = line.length > 100 ? '' : line.trimEnd();
    // A thematic break at the top of a document is not front matter.
    if (closing === fence || (fence === '---' && closing === '...'))
      return isEmpty || hasKey ? Math.min(end + 1, text.length) : 0;
    isEmpty = false;
    hasKey ||= /^\s*[\w"'-]+\s*[:=]/.test(line);
    from = end + 1;
  }
  return 0;
}
