// A part of an Office file as a tree. Elements are named without their prefix: writers choose prefixes freely.

import { SaxesParser } from 'saxes';
import { pinakesError } from '../../model/errors.ts';
import { decodeBody } from '../decode/charset.ts';

export interface XmlElement {
  readonly name: string;
  /** As written, prefixes included. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: ReadonlyArray<XmlElement | string>;
}

interface OpenElement extends XmlElement {
  readonly children: Array<XmlElement | string>;
}

/** Word nests a table in a cell of a table at 12 elements a level. */
const MAX_DEPTH = 256;
/** A book of 1,500 pages has 400,000. */
const MAX_ELEMENTS = 1_000_000;
/** Small slices, so that a stop takes effect before the parser has processed a large part. */
const SLICE_CHARS = 16_384;

/**
 * Throws `extract.malformed` for XML that is not well-formed or that declares entities, and `extract.limit` for a tree
 * that is too deep or too large. Entities of a document type are never expanded.
 */
export function parseXml(body: Uint8Array, url: string, part: string): XmlElement {
  const root: OpenElement = { name: '', attributes: {}, children: [] };
  const state: XmlState = { url, part, open: [root], elements: 0, failure: null };
  const parser = new SaxesParser();
  const addText = (text: string): void => {
    if (state.open.length > 1) state.open.at(-1)?.children.push(text);
  };
  parser.on('doctype', (type) => {
    if (type.includes('[')) fail(state, 'extract.malformed', { as: `${part}, which declares entities` });
  });
  parser.on('opentag', ({ name, attributes }) => openElement(state, localName(name), attributes));
  parser.on('closetag', () => state.open.pop());
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('error', () => fail(state, 'extract.malformed', { as: `XML in ${part}` }));
  // Control characters are not allowed in XML; writers copy them from what they convert.
  // oxlint-disable-next-line no-control-regex
  const text = decodeBody(body, null).replace(/[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
  for (let at = 0; at < text.length && state.failure === null; at += SLICE_CHARS)
    parser.write(text.slice(at, at + SLICE_CHARS));
  if (state.failure === null) parser.close();
  if (state.failure !== null) throw state.failure;
  return root;
}

interface XmlState {
  readonly url: string;
  readonly part: string;
  readonly open: OpenElement[];
  elements: number;
  failure: Error | null;
}

function openElement(state: XmlState, name: string, attributes: Readonly<Record<string, string>>): void {
  const { open, part } = state;
  const element: OpenElement = { name, attributes, children: [] };
  open.at(-1)?.children.push(element);
  open.push(element);
  state.elements += 1;
  if (open.length > MAX_DEPTH) fail(state, 'extract.limit', { reason: `${part} has more than ${MAX_DEPTH} levels` });
  if (state.elements > MAX_ELEMENTS)
    fail(state, 'extract.limit', { reason: `${part} has more than ${MAX_ELEMENTS} elements` });
}

/** The first failure is kept: later ones are its consequences. */
function fail(state: XmlState, code: 'extract.malformed' | 'extract.limit', details: Record<string, string>): void {
  state.failure ??= pinakesError(code, { url: state.url, ...details });
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The value of an attribute by its local name: `val` finds `w:val`. */
export function attribute(element: XmlElement | null, name: string): string | null {
  if (element === null) return null;
  const exact = element.attributes[name];
  if (exact !== undefined) return exact;
  const key = Object.keys(element.attributes).find((candidate) => candidate.endsWith(`:${name}`));
  return key === undefined ? null : (element.attributes[key] ?? null);
}

/** The id of a relationship, which has a prefix where the element has its own id. */
export function relationshipId(element: XmlElement, name = 'id'): string {
  const key = Object.keys(element.attributes).find((candidate) => candidate.endsWith(`:${name}`));
  return key === undefined ? '' : (element.attributes[key] ?? '');
}

/** The child elements, or those of one name. */
export function elementsOf(element: XmlElement | null, name?: string): readonly XmlElement[] {
  const children = element?.children ?? [];
  return children.filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  );
}

/** The element at a path of child names; null if there is none. */
export function childAt(element: XmlElement | null, ...path: readonly string[]): XmlElement | null {
  let found = element;
  for (const name of path) found = elementsOf(found, name)[0] ?? null;
  return found;
}

/** All descendants of one name, in order; inside a match nothing is looked for. */
export function descendants(element: XmlElement | null, name: string): readonly XmlElement[] {
  return elementsOf(element).flatMap((child) => (child.name === name ? [child] : descendants(child, name)));
}

export function textOf(element: XmlElement | null): string {
  return (element?.children ?? []).map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}
