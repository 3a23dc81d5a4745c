// The text of a line of Markdown as a reader sees it: without the marks of emphasis, links, escapes and inline HTML. Text between
// backticks stays as it is.

export interface InlineText {
  readonly text: string;
  /** Where inline code is in the text, in order. */
  readonly code: readonly TextRange[];
}

export interface TextRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

const TOKEN =
  /\\(?<escaped>[!-/:-@[-`{-~])|(?<ticks>`+)(?<code>[^`]{1,500})\k<ticks>(?!`)|(?<linkEnd>\]\((?:[^()\s]|\([^()\s]{0,60}\)){0,300}(?:\s"[^"]{0,200}")?\))|(?<linkStart>!?\[)|<(?<address>https?:\/\/[^\s<>]{1,500})>|<(?<tag>\/?(?:a|abbr|b|br|cite|code|del|em|i|img|kbd|mark|p|q|s|samp|small|span|strong|sub|sup|u|var))(?:\s[^<>]{0,500})?\/?>|&(?<entity>amp|gt|lt|nbsp|quot|#39);|(?<mark>\*{1,3}|_{1,3}|~~)|[^\\`[\]!<&*_~]+|`+|[^]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  gt: '>',
  lt: '<',
  nbsp: ' ',
  quot: '"',
  '#39': "'",
};

interface Piece {
  text: string;
  readonly isCode: boolean;
}

/** A line break of HTML is a line break; any other white space is one space. */
export function inlineText(line: string): InlineText {
  const pieces: Piece[] = [];
  /** Opening marks whose closing ones may follow, by mark. */
  const open = new Map<string, Piece[]>();
  const bare = line.trim();
  let isCode = false;
  for (const { 0: whole, index, groups = {} } of bare.matchAll(TOKEN)) {
    const { code, linkEnd, linkStart, tag, mark } = groups;
    if (tag === 'code' || tag === '/code') isCode = tag === 'code';
    const piece: Piece = { text: literalText(whole, groups), isCode: isCode || code !== undefined };
    if (linkEnd !== undefined) closeMark(open, '[', piece);
    if (linkStart !== undefined) openMark(open, '[', piece);
    if (mark !== undefined) pairMark(open, piece, { before: bare[index - 1], after: bare[index + whole.length] });
    pieces.push(piece);
  }
  return joinPieces(pieces);
}

function literalText(
  whole: string,
  { code, tag, escaped, address, entity }: Readonly<Record<string, string | undefined>>,
): string {
  if (code !== undefined) return trimOne(code);
  if (tag !== undefined) return tag === 'br' ? '\n' : '';
  return escaped ?? address ?? ENTITIES[entity ?? ''] ?? whole;
}

/** One space next to each backtick belongs to the marks. */
function trimOne(code: string): string {
  return code.trim() !== '' && code.startsWith(' ') && code.endsWith(' ') ? code.slice(1, -1) : code;
}

function openMark(open: Map<string, Piece[]>, name: string, piece: Piece): void {
  const waiting = open.get(name);
  if (waiting === undefined) open.set(name, [piece]);
  else waiting.push(piece);
}

/** Both marks of a pair vanish; one without the other is text. */
function closeMark(open: Map<string, Piece[]>, name: string, piece: Piece): boolean {
  const opening = open.get(name)?.pop();
  if (opening === undefined) return false;
  opening.text = '';
  piece.text = '';
  return true;
}

function pairMark(
  open: Map<string, Piece[]>,
  piece: Piece,
  { before = ' ', after = ' ' }: { readonly before: string | undefined; readonly after: string | undefined },
): void {
  const name = piece.text;
  const isInWord = name.startsWith('_') && WORD.test(before) && WORD.test(after);
  if (isInWord) return;
  if (!/\s/.test(before) && closeMark(open, name, piece)) return;
  if (!/\s/.test(after) && !(name.startsWith('_') && WORD.test(before))) openMark(open, name, piece);
}

const WORD = /[\p{L}\p{N}_]/u;

function joinPieces(pieces: readonly Piece[]): InlineText {
  const texts: string[] = [];
  const code: TextRange[] = [];
  let [end, isAfterSpace] = [0, true];
  for (const { text, isCode } of pieces) {
    const spaced = text.replaceAll(/[^\S\n]+/g, ' ').replaceAll(/ ?\n ?/g, '\n');
    const shown = isAfterSpace ? spaced.trimStart() : spaced;
    if (shown === '') continue;
    const [start, last] = [end, code.at(-1)];
    texts.push(shown);
    end += shown.length;
    isAfterSpace = shown.endsWith(' ') || shown.endsWith('\n');
    if (isCode && last?.end === start) code.splice(-1, 1, { start: last.start, end });
    else if (isCode) code.push({ start, end });
  }
  return { text: texts.join('').trimEnd(), code };
}
