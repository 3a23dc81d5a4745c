// Chooses the root element of the content: by tag (main, article), by the class words of generators, otherwise by text
// density. A candidate that covers too little of the page is rejected or widened: a `main` around the introduction alone,
// the first of twenty `article` elements, a class word that means something else on this site.

import { isInside, type ElementNode } from '../parse/html-node.ts';
import { NOT_WRITTEN, flag } from '../parse/node-flags.ts';
import { isMostlyLinks } from './chrome.ts';

export interface ContentRoot {
  readonly node: ElementNode;
  readonly reason: 'main' | 'article' | 'class' | 'density' | 'widened';
}

type CandidateKind = 'main' | 'article' | 'class';

/** The share of the page's prose that a candidate must cover. `main` is trusted most. */
const MIN_SHARE: Readonly<Record<CandidateKind, number>> = { main: 0.3, article: 0.5, class: 0.6 };

type Candidates = Readonly<Record<CandidateKind, ElementNode[]>>;

export function chooseContentRoot(body: ElementNode): ContentRoot {
  const candidates: Candidates = { main: [], article: [], class: [] };
  collect(body, candidates);
  for (const kind of ['main', 'article', 'class'] as const) {
    const best = largest(candidates[kind]);
    if (best === null || coversTooLittle(best, body, MIN_SHARE[kind])) continue;
    return { node: includeTitle(narrow(best, candidates, kind), body), reason: kind };
  }
  const stated = largest(candidates.main) ?? largest(candidates.article);
  if (stated !== null && stated.textLength > 0) {
    return { node: widen(stated, body), reason: 'widened' };
  }
  return { node: includeTitle(densestContainer(body), body), reason: 'density' };
}

/** A page with more candidates is a list of posts: none of them is the content. */
const MAX_CANDIDATES = 200;

function collect(node: ElementNode, candidates: Candidates): void {
  if ((node.flags & NOT_WRITTEN) !== 0 || (node.flags & flag.hasBlock) === 0) return;
  const kind = candidateKind(node);
  if (kind !== null && node.textLength > 0 && candidates[kind].length < MAX_CANDIDATES) candidates[kind].push(node);
  for (const child of node.children) if (child.kind === 'element') collect(child, candidates);
}

const CONTAINERS = new Set(['div', 'section', 'td', 'article', 'main', 'center', 'table', 'form', 'span']);

function candidateKind(node: ElementNode): CandidateKind | null {
  if (node.tag === 'main' || node.attributes['role'] === 'main') return 'main';
  if (node.tag === 'article' || node.attributes['itemprop'] === 'articleBody') return 'article';
  return (node.flags & flag.contentRoot) !== 0 && CONTAINERS.has(node.tag) ? 'class' : null;
}

function largest(nodes: readonly ElementNode[]): ElementNode | null {
  let best: ElementNode | null = null;
  for (const node of nodes) if (best === null || node.textLength > best.textLength) best = node;
  return best;
}

/** The share that an inner candidate must cover to replace the outer one: the rest is feedback and edit links. */
const MIN_NARROWED_SHARE = 0.85;

function narrow(root: ElementNode, candidates: Candidates, kind: CandidateKind): ElementNode {
  let best = root;
  // A root found by class alone may include the navigation, so links say nothing about where the content is.
  const share = kind === 'class' ? nonLinkCoverage : coverage;
  for (const node of [...candidates.article, ...candidates.class]) {
    if (node === best || !isInside(node, best)) continue;
    if (share(node, best) >= MIN_NARROWED_SHARE && !losesHeading(node, best)) best = node;
  }
  return best;
}

function losesHeading(inner: ElementNode, outer: ElementNode): boolean {
  return firstHeading(inner) !== firstHeading(outer);
}

function firstHeading(node: ElementNode): ElementNode | null {
  if ((node.flags & flag.hasHeading) === 0) return null;
  return findVisible(node, (child) => /^h[1-6]$/.test(child.tag));
}

function findVisible(node: ElementNode, matches: (node: ElementNode) => boolean): ElementNode | null {
  for (const child of node.children) {
    if (child.kind !== 'element' || (child.flags & NOT_WRITTEN) !== 0) continue;
    if (matches(child)) return child;
    const below = findVisible(child, matches);
    if (below !== null) return below;
  }
  return null;
}

const isTitle = (node: ElementNode): boolean => node.tag === 'h1';
/** Text that may be included along with the title: a summary line, not a second page. */
const MAX_ADDED_CHARS = 2_000;

/** Includes a title above the root: some generators put it in a separate block. */
function includeTitle(root: ElementNode, body: ElementNode): ElementNode {
  const title = findVisible(body, isTitle);
  if (title === null || isInside(title, root) || findVisible(root, isTitle) !== null) return root;
  for (let at = root.parent; at !== null; at = at.parent) {
    if (at.textLength - root.textLength > MAX_ADDED_CHARS) return root;
    if (isInside(title, at)) return at;
  }
  return root;
}

/** Text in links counts little: navigation consists of it, content does not. */
const LINK_WEIGHT = 0.2;

function proseLength(node: ElementNode): number {
  return node.textLength - node.linkLength * (1 - LINK_WEIGHT);
}

function nonLinkLength(node: ElementNode): number {
  return node.textLength - node.linkLength;
}

/** The share of `whole`'s prose that `part` covers. */
function coverage(part: ElementNode, whole: ElementNode): number {
  const total = proseLength(whole);
  return total <= 0 ? 1 : proseLength(part) / total;
}

/** The same for text outside links only. */
function nonLinkCoverage(part: ElementNode, whole: ElementNode): number {
  const total = nonLinkLength(whole);
  return total <= 0 ? coverage(part, whole) : nonLinkLength(part) / total;
}

/** As much prose outside the root as a cookie or licence text has: too little to reject the candidate. */
const MAX_UNCOVERED_CHARS = 600;

function coversTooLittle(part: ElementNode, body: ElementNode, minShare: number): boolean {
  return proseLength(body) - proseLength(part) > MAX_UNCOVERED_CHARS && coverage(part, body) < minShare;
}

const ENOUGH_COVERAGE = 0.7;

/** The nearest ancestor that covers enough. */
function widen(node: ElementNode, body: ElementNode): ElementNode {
  let at = node;
  while (at !== body && at.parent !== null && coverage(at, body) < ENOUGH_COVERAGE) at = at.parent;
  return at;
}

const DENSITY_CONTAINERS = new Set([
  'div',
  'section',
  'td',
  'table',
  'tbody',
  'tr',
  'form',
  'center',
  'span',
  'font',
  'article',
]);

/** How much prose may be left outside, as a share and in characters. */
const MAX_OUTSIDE_SHARE = 0.05;
const MAX_OUTSIDE_CHARS = 400;

/** For pages without tags or classes to go by: descends while one child has nearly all prose and the rest is links. */
function densestContainer(body: ElementNode): ElementNode {
  let at = body;
  for (;;) {
    const next = denserChild(at);
    if (next === null) return at;
    at = next;
  }
}

function denserChild(node: ElementNode): ElementNode | null {
  let best: ElementNode | null = null;
  for (const child of node.children) {
    if (child.kind !== 'element' || (child.flags & NOT_WRITTEN) !== 0 || !DENSITY_CONTAINERS.has(child.tag)) continue;
    if (best === null || proseLength(child) > proseLength(best)) best = child;
  }
  if (best === null || best.textLength === 0) return null;
  const outside = nonLinkLength(node) - nonLinkLength(best);
  if (outside > MAX_OUTSIDE_CHARS || outside > nonLinkLength(node) * MAX_OUTSIDE_SHARE) return null;
  return losesContent(node, best) ? null : best;
}

/** What is left outside may be bars and footers, but not a heading, a paragraph or anything marked as content. */
function losesContent(node: ElementNode, chosen: ElementNode): boolean {
  return node.children.some((child) => {
    if (child === chosen || child.kind !== 'element' || (child.flags & NOT_WRITTEN) !== 0) return false;
    if (isMostlyLinks(child) || child.textLength === 0) return false;
    if ((child.flags & (flag.hasHeading | flag.contentRoot)) !== 0) return true;
    return PROSE_TAGS.has(child.tag) && nonLinkLength(child) > MAX_OUTSIDE_LINE_CHARS;
  });
}

const PROSE_TAGS = new Set(['p', 'ul', 'ol', 'dl', 'pre', 'blockquote']);
const MAX_OUTSIDE_LINE_CHARS = 20;
