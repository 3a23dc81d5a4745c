// How one robots.txt pattern meets one URL. Follows RFC 9309 the way Google's parser reads it: `*` is any run of
// characters, a final `$` is the end, everything else is compared octet by octet.

/** Path, parameters and query of a URL, even of one that the WHATWG parser would refuse. Never empty. */
export function robotsPath(url: string): string {
  const from = url.startsWith('//') ? 2 : 0;
  const early = indexOfAny(url, from);
  const scheme = url.indexOf('://', from);
  const authority = scheme === -1 || (early !== -1 && early < scheme) ? from : scheme + 3;
  const start = indexOfAny(url, authority);
  if (start === -1) return '/';
  const hash = url.indexOf('#', from);
  if (hash !== -1 && hash < start) return '/';
  const path = url.slice(start, hash === -1 ? url.length : hash);
  return path.startsWith('/') ? path : `/${path}`;
}

function indexOfAny(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '/' || char === '?' || char === ';') return at;
  }
  return -1;
}

/**
 * Octets above 127 become percent-encoded and hexadecimal digits upper case, so a rule and a URL that was
 * serialised by the WHATWG parser agree. Unreserved characters are not decoded. `octets` has one octet a character.
 */
export function escapePattern(octets: string): string {
  return octets
    .replace(/%[0-9a-fA-F]{2}/g, (escape) => escape.toUpperCase())
    .replace(/[\u0080-\u00ff]/g, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`);
}

export function matchesRobotsPattern(path: string, pattern: string): boolean {
  const anchored = pattern.endsWith('$');
  const [first = '', ...others] = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  if (!anchored) return endOfPieces(path, others, first.length) !== -1;

  const tail = others.pop();
  if (tail === undefined) return path.length === first.length;
  const at = endOfPieces(path, others, first.length);
  return at !== -1 && path.length - tail.length >= at && path.endsWith(tail);
}

/** Each piece is taken at its first place: nothing is lost by it, since only `*` stands between pieces. */
function endOfPieces(path: string, pieces: readonly string[], from: number): number {
  let at = from;
  for (const piece of pieces) {
    const found = indexOfPiece(path, piece, at);
    if (found === -1) return -1;
    at = found + piece.length;
  }
  return at;
}

/** Engines search long needles in quadratic time on hostile text; above this length we pay for a table instead. */
const LONG_PIECE = 32;

function indexOfPiece(path: string, piece: string, from: number): number {
  if (piece === '' || piece.length > path.length - from) return piece === '' ? from : -1;
  return piece.length <= LONG_PIECE ? path.indexOf(piece, from) : indexOfLong(path, piece, from);
}

/** Knuth, Morris and Pratt: linear whatever the text. */
function indexOfLong(path: string, piece: string, from: number): number {
  const borders = borderTable(piece);
  let matched = 0;
  for (let at = from; at < path.length; at += 1) {
    while (matched > 0 && path[at] !== piece[matched]) matched = borders[matched - 1] ?? 0;
    if (path[at] === piece[matched]) matched += 1;
    if (matched === piece.length) return at - matched + 1;
  }
  return -1;
}

function borderTable(piece: string): Uint32Array {
  const borders = new Uint32Array(piece.length);
  let length = 0;
  for (let at = 1; at < piece.length; at += 1) {
    while (length > 0 && piece[at] !== piece[length]) length = borders[length - 1] ?? 0;
    if (piece[at] === piece[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}
