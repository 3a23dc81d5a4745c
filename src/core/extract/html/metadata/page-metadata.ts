// The metadata of a page: title, description, language, canonical, robots, refresh, alternates.

import type { ElementNode } from '../parse/html-node.ts';
import type { HtmlTree } from '../parse/parse-tree.ts';
import { declaredVersion } from './declared-version.ts';
import { collapse } from '../write/inline-text.ts';

export interface MetaRefresh {
  readonly seconds: number;
  /** Absolute; null if the page reloads itself. */
  readonly url: string | null;
}

export interface HtmlPageMetadata {
  /** The text of the `title` element, on one line. */
  readonly headTitle: string | null;
  readonly description: string | null;
  readonly language: string | null;
  readonly canonical: string | null;
  /** Contents of every `meta name=robots`, as written. */
  readonly metaRobots: readonly string[];
  readonly metaRefresh: MetaRefresh | null;
  readonly generator: string | null;
  /** Version of the documented product; null if the page states none. */
  readonly declaredVersion: string | null;
  /** Absolute URL of the page's Markdown version. */
  readonly markdownAlternate: string | null;
  readonly baseHref: string | null;
  readonly hasPasswordInput: boolean;
  readonly scriptCount: number;
  readonly noscriptText: string;
}

type Resolve = (href: string) => string | null;

export function baseHref(tree: HtmlTree): string | undefined {
  return tree.metadataNodes.find((node) => node.tag === 'base' && node.attributes['href'] !== undefined)?.attributes[
    'href'
  ];
}

export function readPageMetadata(tree: HtmlTree, resolve: Resolve): HtmlPageMetadata {
  const { metadataNodes } = tree;
  const metas = metadataNodes.filter((node) => node.tag === 'meta');
  const links = metadataNodes.filter((node) => node.tag === 'link');
  const headTitle = clean(textOf(metadataNodes.find((node) => node.tag === 'title' && !isInSvg(node))));
  const generator = clean(metaContent(metas, 'generator') ?? '');
  return {
    headTitle,
    description: clean(metaContent(metas, 'description') ?? metaContent(metas, 'og:description') ?? ''),
    language: clean(metadataNodes.find((node) => node.tag === 'html')?.attributes['lang'] ?? ''),
    canonical: linkTarget(links, (rel) => rel.includes('canonical'), resolve),
    metaRobots: metas.filter((node) => nameOf(node) === 'robots').map((node) => node.attributes['content'] ?? ''),
    metaRefresh: metaRefresh(metas, resolve),
    generator,
    declaredVersion: declaredVersion({
      html: tree.html,
      contentOf: (name) => metaContent(metas, name) ?? '',
      title: headTitle ?? '',
      isRustdoc: generator === 'rustdoc',
    }),
    markdownAlternate: markdownAlternate(links, resolve),
    baseHref: baseHref(tree) ?? null,
    hasPasswordInput: metadataNodes.some(
      (node) => node.tag === 'input' && node.attributes['type']?.toLowerCase() === 'password',
    ),
    scriptCount: tree.scripts,
    noscriptText: collapse(
      metadataNodes
        .filter((node) => node.tag === 'noscript')
        .map(textOf)
        .join(' '),
    )
      .trim()
      .slice(0, MAX_NOSCRIPT_CHARS),
  };
}

const MAX_NOSCRIPT_CHARS = 2_000;

function nameOf(meta: ElementNode): string {
  return (meta.attributes['name'] ?? meta.attributes['property'] ?? '').toLowerCase();
}

function metaContent(metas: readonly ElementNode[], name: string): string | undefined {
  return metas.find((meta) => nameOf(meta) === name)?.attributes['content'];
}

function clean(text: string): string | null {
  const line = collapse(text).trim();
  return line === '' ? null : line;
}

function textOf(node: ElementNode | undefined): string {
  if (node === undefined) return '';
  return node.children.map((child) => (child.kind === 'text' ? child.text : textOf(child))).join('');
}

function isInSvg(node: ElementNode): boolean {
  for (let at = node.parent; at !== null; at = at.parent) if (at.tag === 'svg') return true;
  return false;
}

function relWords(link: ElementNode): readonly string[] {
  return (link.attributes['rel'] ?? '').toLowerCase().split(/\s+/);
}

function linkTarget(
  links: readonly ElementNode[],
  matches: (rel: readonly string[]) => boolean,
  resolve: Resolve,
): string | null {
  const href = links.find((link) => matches(relWords(link)))?.attributes['href'];
  return href === undefined || href.trim() === '' ? null : resolve(href.trim());
}

function markdownAlternate(links: readonly ElementNode[], resolve: Resolve): string | null {
  const href = links.find(
    (link) => relWords(link).includes('alternate') && /^text\/(?:x-)?markdown/i.test(link.attributes['type'] ?? ''),
  )?.attributes['href'];
  return href === undefined ? null : resolve(href.trim());
}

function metaRefresh(metas: readonly ElementNode[], resolve: Resolve): MetaRefresh | null {
  const meta = metas.find((node) => node.attributes['http-equiv']?.toLowerCase() === 'refresh');
  const content = meta?.attributes['content'];
  if (content === undefined) return null;
  const seconds = Number.parseFloat(content);
  const at = content.toLowerCase().indexOf('url');
  const target =
    at === -1
      ? ''
      : content
          .slice(at + 3)
          .replace(/^\s*=\s*["']?/, '')
          .replace(/["']\s*$/, '')
          .trim();
  return { seconds: Number.isFinite(seconds) ? seconds : 0, url: target === '' ? null : resolve(target) };
}
