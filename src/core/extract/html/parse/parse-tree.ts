// Builds the light tree from htmlparser2's tokens. Its own parser is not used: it keeps open elements in an array that
// grows at the front, so a deep page costs the square of its depth (100,000 divs took 17 s).
//
// The tree never gets deeper than MAX_DEPTH; what a page nests deeper is attached at that depth, text and all.

import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { flagsOfClass, flagsOfId } from './attribute-flags.ts';
import { cleanCode, cleanProse, isSuspect } from '../clean-text.ts';
import { append, element, NO_ATTRIBUTES, type Attributes, type ElementNode } from './html-node.ts';
import { nameTable } from './name-table.ts';
import { flag } from './node-flags.ts';
import { openElements, type OpenElements } from './open-elements.ts';
import { tagAt, tagNamed, type TagInfo } from './tag-info.ts';
import { ATTRIBUTE_NAMES } from './tag-rules.table.ts';
import { isHidden } from '../visibility.ts';

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
  tag: TagInfo;
  attributes: Record<string, string | undefined> | null;
  attributeName: string | null;
  attributeValue: string;
  /** The tag has a class and nothing else that is kept. */
  isClassAlone: boolean;
  /** The attributes of such tags, one for all that say the same: highlighted code has hundreds of thousands of them. */
  readonly classesAlone: Map<string, Attributes>;
  /** An attribute was met that can hide the element. */
  mayHide: boolean;
  /** The page has characters that a reader does not see. */
  isSuspect: boolean;
  /** Text since the last tag, entities still in it. */
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
    tag: tagNamed('#root'),
    attributes: null,
    attributeName: null,
    attributeValue: '',
    isClassAlone: false,
    classesAlone: new Map(),
    mayHide: false,
    isSuspect: isSuspect(html),
    text: '',
  };
  // Entities are decoded in the few texts that have one: while decoding, the tokenizer looks at every character.
  const tokenizer = new Tokenizer({ decodeEntities: false }, callbacks(building));
  tokenizer.write(html);
  tokenizer.end();
  flushText(building);
  const { anchors, anchorsDropped, informants, scripts } = building;
  return { root, body: building.body ?? root, anchors, anchorsDropped, informants, scripts };
}

const ignore = (): void => undefined;

function callbacks(building: Building): TokenizerCallbacks {
  const { html, open } = building;
  const endOpenTag = (selfClosing: boolean): void => {
    const { tag } = building;
    const attributes = building.isClassAlone ? sharedAttributes(building) : building.attributes;
    building.attributes = null;
    openTag(building, tag, attributes ?? NO_ATTRIBUTES);
    const node = open.latest();
    if (node !== null && attributes !== null) flagNode(building, node);
    else if (tag === DIALOG && node !== null) node.flags |= flag.hidden;
    if (selfClosing && open.inForeign()) open.close(tag);
  };
  return {
    onattribdata(start, end) {
      if (building.attributeName !== null) building.attributeValue += html.slice(start, end);
    },
    onattribentity: ignore,
    onattribend: () => endAttribute(building),
    onattribname(start, end) {
      const index = attributeTable.indexAt(html, start, end);
      building.attributeName = index === -1 ? null : (ATTRIBUTE_NAMES[index] as string);
      if (index === -1) return;
      if (HIDING[index] === true) building.mayHide = true;
      building.isClassAlone = index === CLASS && building.attributes === null;
      building.attributes ??= { class: undefined, href: undefined, id: undefined };
    },
    oncdata(start, end, offset) {
      if (open.inForeign()) building.text += html.slice(start, end - offset);
    },
    onclosetag(start, end) {
      flushText(building);
      closeTag(building, tagAt(html, start, end));
    },
    oncomment: ignore,
    ondeclaration: ignore,
    onend: ignore,
    onopentagend: () => endOpenTag(false),
    onopentagname(start, end) {
      flushText(building);
      building.tag = tagAt(html, start, end);
      building.attributes = null;
      building.attributeName = null;
      building.isClassAlone = false;
      building.mayHide = building.tag === DIALOG;
    },
    onprocessinginstruction: ignore,
    onselfclosingtag: () => endOpenTag(true),
    ontext(start, end) {
      building.text = building.text === '' ? html.slice(start, end) : building.text + html.slice(start, end);
    },
    ontextentity: ignore,
    isInForeignContext: () => open.inForeign(),
  };
}

const CLASS = ATTRIBUTE_NAMES.indexOf('class');
const MAX_SHARED = 1_000;

function sharedAttributes({ attributes, classesAlone }: Building): Attributes | null {
  const value = attributes?.['class'];
  if (value === undefined) return attributes;
  const before = classesAlone.get(value);
  if (before !== undefined) return before;
  if (attributes !== null && classesAlone.size < MAX_SHARED) classesAlone.set(value, attributes);
  return attributes;
}

/** Ids of other elements name a place in the text, not a part of the page. */
const NAMED_BOXES = new Set('div ul ol nav td table aside header footer form main article details p'.split(' '));
const HIDING_NAMES = new Set(['hidden', 'aria-hidden', 'style']);
const HIDING = ATTRIBUTE_NAMES.map((name) => HIDING_NAMES.has(name));
const attributeTable = nameTable(ATTRIBUTE_NAMES);

/** The first of two equal attributes counts. The three common ones are written by name: that is the fast way. */
function setAttribute(attributes: Record<string, string | undefined>, name: string, value: string): void {
  if (name === 'class') attributes['class'] ??= value;
  else if (name === 'href') attributes['href'] ??= value;
  else if (name === 'id') attributes['id'] ??= value;
  else attributes[name] ??= value;
}

function endAttribute(building: Building): void {
  const { attributeName, attributes } = building;
  if (attributeName === null || attributes === null) return;
  const value = building.attributeValue;
  setAttribute(attributes, attributeName, value.includes('&') ? decodeHTMLAttribute(value) : value);
  building.attributeName = null;
  building.attributeValue = '';
}

function flagNode({ mayHide }: Building, node: ElementNode): void {
  node.flags |= flagsOf(node);
  if (mayHide && isHidden(node, node.flags)) node.flags |= flag.hidden;
}

function flagsOf(node: ElementNode): number {
  const { attributes } = node;
  let bits = 0;
  const className = attributes['class'];
  if (className !== undefined) bits |= flagsOfClass(className);
  const id = attributes['id'];
  if (id !== undefined && NAMED_BOXES.has(node.tag)) bits |= flagsOfId(id);
  return bits;
}

function openTag(building: Building, tag: TagInfo, attributes: Attributes): void {
  if (tag === HTML || tag === BODY) {
    openOnce(building, tag, attributes);
    return;
  }
  const isAnchor = tag === ANCHOR;
  const node = building.open.open(tag, attributes, tag.isVoid || (isAnchor && isBareAnchor(attributes)));
  if (isAnchor && attributes['href'] !== undefined) {
    if (building.anchors.length < MAX_LINKS) building.anchors.push(node);
    else building.anchorsDropped += 1;
  }
  if (tag.isInformant && building.informants.length < MAX_INFORMANTS) building.informants.push(node);
  if (tag === SCRIPT) building.scripts += 1;
}

const [HTML, BODY, HEAD] = [tagNamed('html'), tagNamed('body'), tagNamed('head')];
const [ANCHOR, SCRIPT, BREAK, DIALOG] = [tagNamed('a'), tagNamed('script'), tagNamed('br'), tagNamed('dialog')];

/** `<a name=x>` is often left open; as a mark without content it cannot swallow what follows. */
function isBareAnchor(attributes: Attributes): boolean {
  if (attributes['href'] !== undefined || attributes['class'] !== undefined || attributes['role'] !== undefined) {
    return false;
  }
  return attributes['name'] !== undefined || attributes['id'] !== undefined;
}

function openOnce(building: Building, tag: TagInfo, attributes: Attributes): void {
  if (building.open.has(tag) || (tag === BODY && building.body !== null)) return;
  if (tag === BODY) building.open.close(HEAD);
  const node = building.open.open(tag, attributes, false);
  if (tag === BODY) building.body = node;
  else building.informants.push(node);
}

/** Text after `</body>` belongs to the body all the same, so body and html stay open to the end. */
function closeTag(building: Building, tag: TagInfo): void {
  if (tag === HTML || tag === BODY) return;
  if (tag === BREAK) building.open.open(BREAK, NO_ATTRIBUTES, true);
  else if (!tag.isVoid) building.open.close(tag);
}

/** Decoded once, and cleaned where the page or an entity brought something to clean. */
function readText(building: Building, raw: string, parent: ElementNode): string {
  const text = raw.includes('&') && parent.tag !== 'script' ? decodeHTML(raw) : raw;
  if (!building.isSuspect && text === raw) return text;
  return building.open.inPre() ? cleanCode(text) : cleanProse(text);
}

function flushText(building: Building): void {
  const raw = building.text;
  if (raw === '') return;
  building.text = '';
  const parent = building.open.current();
  if ((parent.flags & flag.silent) !== 0 && !KEEPS_RAW_TEXT.has(parent.tag)) return;
  let text = readText(building, raw, parent);
  // HTML drops the line feed that directly follows <pre>.
  if (parent.tag === 'pre' && parent.children.length === 0 && text.startsWith('\n')) text = text.slice(1);
  if (text !== '') append(holderOf(parent, text), { kind: 'text', text });
}

const TABLE_PARTS = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr']);

/** Text between the cells of a table belongs to none: it goes behind the table, as browsers put it before. */
function holderOf(parent: ElementNode, text: string): ElementNode {
  if (!TABLE_PARTS.has(parent.tag) || text.trim() === '') return parent;
  let holder: ElementNode | null = parent;
  while (holder !== null && TABLE_PARTS.has(holder.tag)) holder = holder.parent;
  return holder ?? parent;
}

/** TeX lives in scripts; titles and noscript texts are facts of the page. */
const KEEPS_RAW_TEXT = new Set(['title', 'noscript', 'script']);
