// Hops from tag to tag over raw HTML. One pass, no tree, no recursion; every character is looked at once or twice.

export interface TagVisit {
  /** The content of an element whose content is not page text. */
  raw(name: string, text: string): void;
  /** An opening tag as written; `isEmpty` when its closing tag follows with nothing but spaces between. */
  tag(name: string, tag: string, isEmpty: boolean): void;
}

/** Elements whose content is not visible text: handed over whole. */
const RAW = new Set(['script', 'style', 'noscript', 'template', 'title', 'textarea', 'svg', 'iframe']);
const TAG_KEPT = 2000;

export function scanTags(html: string, visit: TagVisit): void {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) return;
    at = step(html, open, visit);
  }
}

function step(html: string, open: number, visit: TagVisit): number {
  const next = html.charCodeAt(open + 1) | 32;
  if (html.startsWith('<!--', open)) return after(html.indexOf('-->', open + 4), 3, html);
  if (next < 97 || next > 122) return pastDeclaration(html, open);
  const name = tagName(html, open + 1);
  const end = tagEnd(html, open + 1 + name.length);
  const tag = html.slice(open, Math.min(end, open + TAG_KEPT));
  const isClosed = tag.endsWith('/>');
  if (!RAW.has(name) || isClosed) {
    visit.tag(name, tag, !isClosed && closesAt(html, end));
    return end;
  }
  const close = closingTag(html, name, end);
  visit.tag(name, tag, false);
  visit.raw(name, html.slice(end, close));
  return close;
}

function pastDeclaration(html: string, open: number): number {
  const next = html[open + 1];
  return next === '!' || next === '?' || next === '/' ? after(html.indexOf('>', open), 1, html) : open + 1;
}

function after(found: number, length: number, html: string): number {
  return found === -1 ? html.length : found + length;
}

function tagName(html: string, start: number): string {
  let end = start;
  while (end < html.length && end - start < 40 && isNamePart(html.charCodeAt(end))) end += 1;
  return html.slice(start, end).toLowerCase();
}

function isNamePart(code: number): boolean {
  return code > 32 && code !== 47 && code !== 62;
}

/** Past the `>` that ends the tag; quotes hide it only where an attribute value begins. */
function tagEnd(html: string, start: number): number {
  let at = start;
  while (at < html.length) {
    const code = html.charCodeAt(at);
    if (code === 62) return at + 1;
    if (code === 61) at = valueEnd(html, at + 1);
    else at += 1;
  }
  return html.length;
}

function valueEnd(html: string, start: number): number {
  let at = start;
  while (at < html.length && html.charCodeAt(at) <= 32) at += 1;
  const quote = html[at];
  if (quote !== '"' && quote !== "'") return at;
  return after(html.indexOf(quote, at + 1), 1, html);
}

function closingTag(html: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}

function closesAt(html: string, from: number): boolean {
  let at = from;
  while (at < html.length && at - from < 200 && html.charCodeAt(at) <= 32) at += 1;
  return html.startsWith('</', at);
}

/** The value of an attribute in a tag as written, entities left alone; null where it is absent. */
export function attributeOf(tag: string, name: string): string | null {
  const pattern = new RegExp(`[\\s"'/]${name}\\s*=\\s*(?:"([^"]*)"?|'([^']*)'?|([^\\s"'>]+))`, 'i');
  const found = pattern.exec(tag);
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? '');
}
