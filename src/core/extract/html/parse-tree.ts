// Builds the light tree from htmlparser2's tokens. Its own parser is not used: it keeps open elements in an array that
// grows at the front, so a deep page costs the square of its depth (100,000 divs took 17 s).
//
// The tree never gets deeper than MAX_DEPTH; what a page nests deeper is attached at that depth, text and all.

import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { createClassReader } from './class-flags.ts';
import { cleanCode, cleanProse } from './clean-text.ts';
import { element, type Attributes, type ElementNode } from './html-node.ts';
import { flag } from './node-flags.ts';
import { openElements, type OpenElements } from './open-elements.ts';
import { ATTRIBUTES, SILENT_TAGS, VOID_TAGS } from './tag-rules.table.ts';
import { isHidden } from './visibility.ts';

export interface HtmlTree {
  readonly root: ElementNode;
  readonly body: ElementNode;
  /** Everything that has an href, in document order, at most MAX_LINKS of them. */
  readonly anchors: readonly ElementNode[];
  readonly anchorsDropped: number;
  /** meta, link, base, title, html, input: what the facts of a page are read from. */
  readonly informants: readonly ElementNode[];
  readonly scripts: number;
}

/** A page with more links is a trap or a dump; the rest is counted, not kept. */
const MAX_LINKS = 5_000;
const MAX_INFORMANTS = 2_000;

interface Building {
  readonly html: string;
  readonly open: OpenElements;
  readonly anchors: ElementNode[];
  readonly informants: ElementNode[];
  anchorsDropped: number;
  scripts: number;
  body: ElementNode | null;
  tag: string;
  attributes: Record<string, string> | null;
  attributeName: string | null;
  attributeValue: string;
  /** Text since the last tag: entities arrive apart from the text around them. */
  text: string;
}

export function parseTree(source: string): HtmlTree {
  const html = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
  const root = element('#root', null);
  const building: Building = {
    html,
    open: openElements(root),
    anchors: [],
    informants: [],
    anchorsDropped: 0,
    scripts: 0,
    body: null,
    tag: '',
    attributes: null,
    attributeName: null,
    attributeValue: '',
    text: '',
  };
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks(building));
  tokenizer.write(html);
  tokenizer.end();
  flushText(building);
  const { anchors, anchorsDropped, informants, scripts } = building;
  return { root, body: building.body ?? root, anchors, anchorsDropped, informants, scripts };
}

const tagNames = new Map<string, string>();
const MAX_TAG_NAMES = 500;

/** One string object per tag name makes every later comparison a comparison of pointers. */
function tagName(raw: string): string {
  const known = tagNames.get(raw);
  if (known !== undefined) return known;
  const name = raw.toLowerCase() === 'image' ? 'img' : raw.toLowerCase();
  if (tagNames.size < MAX_TAG_NAMES && raw.length < 40) tagNames.set(raw, name);
  return name;
}

function callbacks(building: Building): TokenizerCallbacks {
  const { html, open } = building;
  const classes = createClassReader();
  const ignore = (): void => undefined;
  const endOpenTag = (selfClosing: boolean): void => {
    const { tag, attributes } = building;
    building.attributes = null;
    openTag(building, tag, attributes ?? {});
    const node = open.latest();
    if (node !== null) node.flags |= flagsOf(node, classes);
    if (selfClosing && open.inForeign()) open.close(tag);
  };
  return {
    onattribdata(start, end) {
      if (building.attributeName !== null) building.attributeValue += html.slice(start, end);
    },
    onattribentity(code) {
      if (building.attributeName !== null) building.attributeValue += String.fromCodePoint(code);
    },
    onattribend() {
      const { attributeName, attributes } = building;
      if (attributeName !== null && attributes !== null) attributes[attributeName] ??= building.attributeValue;
      building.attributeName = null;
      building.attributeValue = '';
    },
    onattribname(start, end) {
      const raw = end - start > 24 ? '' : html.slice(start, end);
      const name = ATTRIBUTES.has(raw) ? raw : raw.toLowerCase();
      building.attributeName = ATTRIBUTES.has(name) ? name : null;
      if (building.attributeName !== null) building.attributes ??= {};
    },
    oncdata(start, end, offset) {
      if (open.inForeign()) building.text += html.slice(start, end - offset);
    },
    onclosetag(start, end) {
      flushText(building);
      closeTag(building, tagName(html.slice(start, end)));
    },
    oncomment: ignore,
    ondeclaration: ignore,
    onend: ignore,
    onopentagend: () => endOpenTag(false),
    onopentagname(start, end) {
      flushText(building);
      building.tag = tagName(html.slice(start, end));
      building.attributes = null;
      building.attributeName = null;
    },
    onprocessinginstruction: ignore,
    onselfclosingtag: () => endOpenTag(true),
    ontext(start, end) {
      building.text = building.text === '' ? html.slice(start, end) : building.text + html.slice(start, end);
    },
    ontextentity(code) {
      building.text += String.fromCodePoint(code);
    },
    isInForeignContext: () => open.inForeign(),
  };
}

function flagsOf(node: ElementNode, classes: ReturnType<typeof createClassReader>): number {
  const { attributes } = node;
  let bits = 0;
  const className = attributes['class'];
  if (className !== undefined) bits |= classes.ofClass(className);
  const id = attributes['id'];
  if (id !== undefined && node.tag !== 'section') bits |= classes.ofId(id);
  return isHidden(node, bits) ? bits | flag.hidden : bits;
}

function openTag(building: Building, tag: string, attributes: Attributes): void {
  if (tag === 'html' || tag === 'body') {
    openOnce(building, tag, attributes);
    return;
  }
  const isVoid = VOID_TAGS.has(tag) || (tag === 'a' && isBareAnchor(attributes));
  const node = building.open.open(tag, attributes, isVoid);
  if (attributes['href'] !== undefined && (tag === 'a' || tag === 'area')) {
    if (building.anchors.length < MAX_LINKS) building.anchors.push(node);
    else building.anchorsDropped += 1;
  }
  if (INFORMANTS.has(tag) && building.informants.length < MAX_INFORMANTS) building.informants.push(node);
  if (tag === 'script') building.scripts += 1;
}

const INFORMANTS = new Set(['meta', 'link', 'base', 'title', 'html', 'input', 'noscript']);

/** `<a name=x>` is often left open; as a mark without content it cannot swallow what follows. */
function isBareAnchor(attributes: Attributes): boolean {
  if (attributes['href'] !== undefined || attributes['class'] !== undefined || attributes['role'] !== undefined) {
    return false;
  }
  return attributes['name'] !== undefined || attributes['id'] !== undefined;
}

function openOnce(building: Building, tag: 'html' | 'body', attributes: Attributes): void {
  if (building.open.has(tag) || (tag === 'body' && building.body !== null)) return;
  if (tag === 'body') building.open.close('head');
  const node = building.open.open(tag, attributes, false);
  if (tag === 'body') building.body = node;
  else building.informants.push(node);
}

/** Text after `</body>` belongs to the body all the same, so body and html stay open to the end. */
function closeTag(building: Building, tag: string): void {
  if (tag === 'html' || tag === 'body') return;
  if (tag === 'br') {
    building.open.open('br', {}, true);
    return;
  }
  if (!VOID_TAGS.has(tag)) building.open.close(tag);
}

function flushText(building: Building): void {
  const raw = building.text;
  if (raw === '') return;
  building.text = '';
  const parent = building.open.current();
  if (SILENT_TAGS.has(parent.tag) && !KEEPS_RAW_TEXT.has(parent.tag)) return;
  const inPre = building.open.inPre();
  let text = inPre ? cleanCode(raw) : cleanProse(raw);
  // HTML drops the line feed that directly follows <pre>.
  if (parent.tag === 'pre' && parent.children.length === 0 && text.startsWith('\n')) text = text.slice(1);
  if (text !== '') parent.children.push({ kind: 'text', text });
}

/** TeX lives in scripts; titles and noscript texts are facts of the page. */
const KEEPS_RAW_TEXT = new Set(['title', 'noscript', 'script']);
