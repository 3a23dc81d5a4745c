// Builds the light tree from the tokens of htmlparser2. Its parser is not used because it keeps open elements in an array
// that grows at the front, so a deep page is quadratic in its depth (100,000 divs took 17 s).
//
// The tree is never deeper than MAX_ELEMENT_DEPTH; deeper nodes and their text are attached at that depth.

import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { cleanText, mayBeUnclean } from '../../decode/clean-text.ts';
import { flagsOfClass, flagsOfId, isHiddenElement } from './attribute-flags.ts';
import { append, createElement, NO_ATTRIBUTES, type Attributes, type ElementNode } from './html-node.ts';
import { createNameTable } from './name-table.ts';
import { flag } from './node-flags.ts';
import { createOpenElements, type OpenElements } from './open-elements.ts';
import { tagAt, tagNamed, type TagInfo } from './tag-info.ts';
import { ATTRIBUTE_NAMES } from './tag-rules.table.ts';

export interface HtmlTree {
  /** With line feeds only; offsets of nodes are counted in it. */
  readonly html: string;
  readonly root: ElementNode;
  readonly body: ElementNode;
  /** Elements with an href, in document order, at most MAX_LINKS of them. */
  readonly anchors: readonly ElementNode[];
  readonly anchorsDropped: number;
  /** meta, link, base, title, html, input, noscript: what the page metadata is read from. */
  readonly metadataNodes: readonly ElementNode[];
  readonly scripts: number;
}

/** A page with more links is a trap or a dump; the rest is counted and dropped. */
const MAX_LINKS = 5_000;
const MAX_METADATA_NODES = 2_000;

interface ParseState {
  readonly html: string;
  readonly open: OpenElements;
  readonly anchors: ElementNode[];
  readonly metadataNodes: ElementNode[];
  anchorsDropped: number;
  scripts: number;
  body: ElementNode | null;
  tag: TagInfo;
  attributes: Record<string, string | undefined> | null;
  attributeName: string | null;
  attributeValue: string;
  /** The tag has a class and no other attribute that is kept. */
  hasOnlyClass: boolean;
  /** The attributes of such tags, shared by equal classes: highlighted code has hundreds of thousands of them. */
  readonly sharedClassAttributes: Map<string, Attributes>;
  /** The tag has an attribute that can hide the element. */
  mayHide: boolean;
  /** The page may have invisible characters. */
  mayBeUnclean: boolean;
  /** Text since the last tag, with entities not yet decoded. */
  text: string;
  textStart: number;
}

export function parseTree(source: string): HtmlTree {
  const html = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
  const root = createElement('#root', null);
  const state: ParseState = {
    html,
    open: createOpenElements(root),
    anchors: [],
    metadataNodes: [],
    anchorsDropped: 0,
    scripts: 0,
    body: null,
    tag: tagNamed('#root'),
    attributes: null,
    attributeName: null,
    attributeValue: '',
    hasOnlyClass: false,
    sharedClassAttributes: new Map(),
    mayHide: false,
    mayBeUnclean: mayBeUnclean(html),
    text: '',
    textStart: 0,
  };
  // Entities are decoded later, in the few texts that have one: a decoding tokenizer examines every character.
  const tokenizer = new Tokenizer({ decodeEntities: false }, callbacks(state));
  tokenizer.write(html);
  tokenizer.end();
  flushText(state);
  if (state.body !== null) state.body.end = html.length;
  const { anchors, anchorsDropped, metadataNodes, scripts } = state;
  return { html, root, body: state.body ?? root, anchors, anchorsDropped, metadataNodes, scripts };
}

const ignore = (): void => undefined;

function callbacks(state: ParseState): TokenizerCallbacks {
  const { html, open } = state;
  const endOpenTag = (selfClosing: boolean): void => {
    const { tag } = state;
    const attributes = state.hasOnlyClass ? sharedAttributes(state) : state.attributes;
    state.attributes = null;
    openTag(state, tag, attributes ?? NO_ATTRIBUTES);
    const node = open.latest();
    if (node !== null && attributes !== null) flagNode(state, node);
    else if (tag === DIALOG && node !== null) node.flags |= flag.hidden;
    if (selfClosing && open.inForeign()) open.close(tag);
  };
  return {
    onattribdata(start, end) {
      if (state.attributeName !== null) state.attributeValue += html.slice(start, end);
    },
    onattribentity: ignore,
    onattribend: () => endAttribute(state),
    onattribname(start, end) {
      const index = attributeTable.indexAt(html, start, end);
      state.attributeName = index === -1 ? null : (ATTRIBUTE_NAMES[index] as string);
      if (index === -1) return;
      if (HIDING[index] === true) state.mayHide = true;
      state.hasOnlyClass = index === CLASS && state.attributes === null;
      state.attributes ??= { class: undefined, href: undefined, id: undefined };
    },
    oncdata(start, end, offset) {
      if (open.inForeign()) addText(state, start, end - offset);
    },
    onclosetag(start, end) {
      flushText(state);
      open.moveTo(end);
      closeTag(state, tagAt(html, start, end));
    },
    oncomment: ignore,
    ondeclaration: ignore,
    onend: ignore,
    onopentagend: () => endOpenTag(false),
    onopentagname(start, end) {
      flushText(state);
      open.moveTo(start - 1);
      state.tag = tagAt(html, start, end);
      state.attributes = null;
      state.attributeName = null;
      state.hasOnlyClass = false;
      state.mayHide = state.tag === DIALOG;
    },
    onprocessinginstruction: ignore,
    onselfclosingtag: () => endOpenTag(true),
    ontext: (start, end) => addText(state, start, end),
    ontextentity: ignore,
    isInForeignContext: () => open.inForeign(),
  };
}

function addText(state: ParseState, start: number, end: number): void {
  if (state.text === '') {
    state.textStart = start;
    state.text = state.html.slice(start, end);
  } else state.text += state.html.slice(start, end);
}

const CLASS = ATTRIBUTE_NAMES.indexOf('class');
const MAX_SHARED_ATTRIBUTES = 1_000;

function sharedAttributes({ attributes, sharedClassAttributes }: ParseState): Attributes | null {
  const value = attributes?.['class'];
  if (value === undefined) return attributes;
  const shared = sharedClassAttributes.get(value);
  if (shared !== undefined) return shared;
  if (attributes !== null && sharedClassAttributes.size < MAX_SHARED_ATTRIBUTES)
    sharedClassAttributes.set(value, attributes);
  return attributes;
}

/** Ids of other elements are anchors in the text and do not name a part of the page. */
const ID_FLAGGED_TAGS = new Set('div ul ol nav td table aside header footer form main article details p'.split(' '));
const HIDING_NAMES = new Set(['hidden', 'aria-hidden', 'style']);
const HIDING = ATTRIBUTE_NAMES.map((name) => HIDING_NAMES.has(name));
const attributeTable = createNameTable(ATTRIBUTE_NAMES);

/** The first of two equal attributes counts. The three common ones are set by a constant name, which is faster. */
function setAttribute(attributes: Record<string, string | undefined>, name: string, value: string): void {
  if (name === 'class') attributes['class'] ??= value;
  else if (name === 'href') attributes['href'] ??= value;
  else if (name === 'id') attributes['id'] ??= value;
  else attributes[name] ??= value;
}

function endAttribute(state: ParseState): void {
  const { attributeName, attributes } = state;
  if (attributeName === null || attributes === null) return;
  const raw = state.attributeValue;
  const value = raw.includes('&') ? decodeHTMLAttribute(raw) : raw;
  const isUrl = attributeName === 'href' || attributeName === 'src';
  const isUnclean = !isUrl && (state.mayBeUnclean || value !== raw);
  setAttribute(attributes, attributeName, isUnclean ? cleanText(value) : value);
  state.attributeName = null;
  state.attributeValue = '';
}

function flagNode({ mayHide }: ParseState, node: ElementNode): void {
  node.flags |= flagsOf(node);
  if (mayHide && isHiddenElement(node, node.flags)) node.flags |= flag.hidden;
}

function flagsOf(node: ElementNode): number {
  const { attributes } = node;
  let bits = 0;
  const className = attributes['class'];
  if (className !== undefined) bits |= flagsOfClass(className);
  const id = attributes['id'];
  if (id !== undefined && ID_FLAGGED_TAGS.has(node.tag)) bits |= flagsOfId(id);
  return bits;
}

function openTag(state: ParseState, tag: TagInfo, attributes: Attributes): void {
  if (tag === HTML || tag === BODY) {
    openOnce(state, tag, attributes);
    return;
  }
  const isAnchor = tag === ANCHOR;
  const node = state.open.open(tag, attributes, tag.isVoid || (isAnchor && isBareAnchor(attributes)));
  if (isAnchor && attributes['href'] !== undefined) {
    if (state.anchors.length < MAX_LINKS) state.anchors.push(node);
    else state.anchorsDropped += 1;
  }
  if (tag.isMetadata && state.metadataNodes.length < MAX_METADATA_NODES) state.metadataNodes.push(node);
  if (tag === SCRIPT) state.scripts += 1;
}

const [HTML, BODY, HEAD] = [tagNamed('html'), tagNamed('body'), tagNamed('head')];
const [ANCHOR, SCRIPT, BREAK, DIALOG] = [tagNamed('a'), tagNamed('script'), tagNamed('br'), tagNamed('dialog')];

/** `<a name=x>` is often not closed; treated as an empty element, it cannot swallow what follows. */
function isBareAnchor(attributes: Attributes): boolean {
  if (attributes['href'] !== undefined || attributes['class'] !== undefined || attributes['role'] !== undefined) {
    return false;
  }
  return attributes['name'] !== undefined || attributes['id'] !== undefined;
}

function openOnce(state: ParseState, tag: TagInfo, attributes: Attributes): void {
  if (state.open.has(tag) || (tag === BODY && state.body !== null)) return;
  if (tag === BODY) state.open.close(HEAD);
  const node = state.open.open(tag, attributes, false);
  if (tag === BODY) state.body = node;
  else state.metadataNodes.push(node);
}

/** Text after `</body>` still belongs to the body, so body and html stay open to the end. */
function closeTag(state: ParseState, tag: TagInfo): void {
  if (tag === HTML || tag === BODY) return;
  if (tag === BREAK) state.open.open(BREAK, NO_ATTRIBUTES, true);
  else if (!tag.isVoid) state.open.close(tag);
}

/** Decodes entities, and cleans the text if the page or an entity may contain invisible characters. */
function decodeText(state: ParseState, raw: string, parent: ElementNode): string {
  const text = raw.includes('&') && parent.tag !== 'script' ? decodeHTML(raw) : raw;
  if (!state.mayBeUnclean && text === raw) return text;
  // To HTML a form feed is white space.
  return cleanText(text.replaceAll('\f', '\n'));
}

function flushText(state: ParseState): void {
  const raw = state.text;
  if (raw === '') return;
  state.text = '';
  const parent = state.open.current();
  if ((parent.flags & flag.nonText) !== 0 && !KEEPS_RAW_TEXT.has(parent.tag)) return;
  let text = decodeText(state, raw, parent);
  // HTML drops a line feed directly after <pre>.
  if (parent.tag === 'pre' && parent.children.length === 0 && text.startsWith('\n')) text = text.slice(1);
  if (text !== '') append(textParent(parent, text), { kind: 'text', text, start: state.textStart });
}

const TABLE_PARTS = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr']);

/** Text between the cells of a table belongs to none of them: it goes after the table (browsers put it before). */
function textParent(parent: ElementNode, text: string): ElementNode {
  if (!TABLE_PARTS.has(parent.tag) || text.trim() === '') return parent;
  let holder: ElementNode | null = parent;
  while (holder !== null && TABLE_PARTS.has(holder.tag)) holder = holder.parent;
  return holder ?? parent;
}

/** Scripts may contain TeX; titles and noscript texts are page metadata. */
const KEEPS_RAW_TEXT = new Set(['title', 'noscript', 'script']);
