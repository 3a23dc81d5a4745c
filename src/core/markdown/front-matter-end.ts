// Where front matter ends. Its values are read elsewhere: a scan of blocks needs no YAML parser.

const MAX_FRONT_MATTER_CHARS = 64_000;

/** Offset after the closing line; 0 if there is no front matter. */
export function frontMatterEnd(text: string): number {
  const marker = /^(?:---|\+\+\+)[ \t]*\n/.exec(text)?.[0];
  if (marker === undefined) return 0;
  const head = text.slice(marker.length, marker.length + MAX_FRONT_MATTER_CHARS);
  const closing = (marker.startsWith('-') ? /^(?:---|\.\.\.)[ \t]*$/m : /^\+\+\+[ \t]*$/m).exec(head);
  if (closing === null) return 0;
  // A thematic break at the top of a document is not front matter.
  const inside = head.slice(0, closing.index);
  if (inside !== '' && !/^[ \t]*[\w"'-]+[ \t]*[:=]/m.test(inside)) return 0;
  return Math.min(marker.length + closing.index + closing[0].length + 1, text.length);
}
