// Chooses the element that holds the content: by what the page says (main, article), by the class words of generators,
// else by where the text is. The coverage guard has the last word on candidates that hold too little.

import { coverage, holdsTooLittle, ownWordsCoverage, widen } from '../coverage-guard.ts';
import { isInside, type ElementNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { densestContainer } from '../text-density.ts';

export interface ContentRoot {
  readonly node: ElementNode;
  readonly because: 'main' | 'article' | 'class' | 'density' | 'widened';
}

type CandidateKind = 'main' | 'article' | 'class';

/** The share of the page's prose that a candidate must hold. A page that says `main` is believed most. */
const LEAST_SHARE: Readonly<Record<CandidateKind, number>> = { main: 0.3, article: 0.5, class: 0.6 };

type Candidates = Readonly<Record<CandidateKind, ElementNode[]>>;

export function contentRoot(body: ElementNode): ContentRoot {
  const candidates: Candidates = { main: [], article: [], class: [] };
  collect(body, candidates);
  for (const kind of ['main', 'article', 'class'] as const) {
    const best = largest(candidates[kind]);
    if (best === null || holdsTooLittle(best, body, LEAST_SHARE[kind])) continue;
    return { node: withTitle(narrow(best, candidates, kind), body), because: kind };
  }
  const stated = largest(candidates.main) ?? largest(candidates.article);
  if (stated !== null && stated.textLength > 0) {
    return { node: widen(stated, body), because: 'widened' };
  }
  return { node: withTitle(densestContainer(body), body), because: 'density' };
}

/** Pages with more are lists of posts: none of them is the content. */
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

/** The share that an inner candidate must hold to replace the outer one: what is left out is feedback and edit links. */
const NARROWING_SHARE = 0.85;

function narrow(root: ElementNode, candidates: Candidates, kind: CandidateKind): ElementNode {
  let best = root;
  // A root known by its class alone may hold the navigation too: then links say nothing about where the content is.
  const share = kind === 'class' ? ownWordsCoverage : coverage;
  for (const node of [...candidates.article, ...candidates.class]) {
    if (node === best || !isInside(node, best)) continue;
    if (share(node, best) >= NARROWING_SHARE && !losesHeading(node, best)) best = node;
  }
  return best;
}

function losesHeading(inner: ElementNode, outer: ElementNode): boolean {
  return firstHeading(inner) !== firstHeading(outer);
}

function firstHeading(node: ElementNode): ElementNode | null {
  if ((node.flags & flag.hasHeading) === 0) return null;
  return findSeen(node, (child) => /^h[1-6]$/.test(child.tag));
}

function findSeen(node: ElementNode, wanted: (node: ElementNode) => boolean): ElementNode | null {
  for (const child of node.children) {
    if (child.kind !== 'element' || (child.flags & NOT_WRITTEN) !== 0) continue;
    if (wanted(child)) return child;
    const below = findSeen(child, wanted);
    if (below !== null) return below;
  }
  return null;
}

const isTitle = (node: ElementNode): boolean => node.tag === 'h1';
/** What may come in together with the title: a summary line, not a second page. */
const MOST_ADDED_TEXT = 2_000;

/** A title above the root belongs to it: some generators put it in a block of its own. */
function withTitle(root: ElementNode, body: ElementNode): ElementNode {
  const title = findSeen(body, isTitle);
  if (title === null || isInside(title, root) || findSeen(root, isTitle) !== null) return root;
  for (let at = root.parent; at !== null; at = at.parent) {
    if (at.textLength - root.textLength > MOST_ADDED_TEXT) return root;
    if (isInside(title, at)) return at;
  }
  return root;
}
