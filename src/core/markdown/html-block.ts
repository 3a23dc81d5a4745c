// HTML blocks: which line starts one, and what ends it. A tag that is no block element starts none, even alone in its line:
// the sites that use such tags have Markdown inside them.

/** What ends an open HTML block. */
export type HtmlEnd = 'blank-line' | 'raw-text-tag' | '-->' | '?>' | '>' | ']]>';

const RAW_TEXT_OPENING = /^<(?:script|pre|style|textarea)(?=[\s>]|$)/i;
const RAW_TEXT_CLOSING = /<\/(?:script|pre|style|textarea)>/gi;
const NAMED_TAG = /^<\/?([a-z][a-z0-9]*)(?=[\s>]|\/>|$)/i;

const BLOCK_TAGS = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
    'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead ' +
    'title tr track ul'
  ).split(' '),
);

const MAX_NAME_CHARS = 14;

/** What ends the HTML block that starts at `at`, which is a `<`; null if none starts there. */
export function htmlBlockEnd(text: string, at: number, end: number): HtmlEnd | null {
  const start = text.slice(at, Math.min(end, at + MAX_NAME_CHARS));
  if (start.startsWith('<?')) return '?>';
  if (start.startsWith('<!--')) return '-->';
  if (start.startsWith('<![CDATA[')) return ']]>';
  if (/^<![a-z]/i.test(start)) return '>';
  if (RAW_TEXT_OPENING.test(start)) return 'raw-text-tag';
  return BLOCK_TAGS.has(NAMED_TAG.exec(start)?.[1]?.toLowerCase() ?? '') ? 'blank-line' : null;
}

/** Whether a line, from `at`, has the delimiter that ends the block. */
export function endsHtmlBlock(text: string, at: number, end: number, htmlEnd: HtmlEnd): boolean {
  if (htmlEnd === 'blank-line') return false;
  const line = text.slice(at, end);
  return htmlEnd === 'raw-text-tag' ? line.search(RAW_TEXT_CLOSING) !== -1 : line.includes(htmlEnd);
}

/** Offset of the first closing tag of raw text at or after `from`; Infinity if there is none. */
export function findRawTextEnd(text: string, from: number): number {
  const pattern = new RegExp(RAW_TEXT_CLOSING);
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? Infinity;
}
