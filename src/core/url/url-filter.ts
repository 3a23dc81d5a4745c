// Decides whether a URL is inside the scope, the include and exclude patterns and the depth of a crawl. Also applied to the
// final URL after redirects, and fails closed. Never fetches, never logs: the caller reports the verdict.

import { getDomain } from 'tldts';
import { pinakesError } from '../model/errors.ts';
import { parsePageUrl, type PageUrl } from '../model/page-url.ts';
import { compileGlob, matchesGlob, mostStates, type Glob } from './glob.ts';
import { scopeFolder } from './scope-folder.ts';

/** `path` limits a crawl to the folders of the start URLs, `host` to their hosts, `domain` to their registrable domains. */
export type CrawlScope = 'path' | 'host' | 'domain';

export interface UrlFilterSettings {
  readonly starts: readonly PageUrl[];
  readonly scope: CrawlScope;
  /** Globs; an empty list includes everything. One that starts with `!` excludes. */
  readonly include: readonly string[];
  /** Globs; a match excludes, regardless of `include`. */
  readonly exclude: readonly string[];
  /** Links away from a start URL; null means no limit. */
  readonly maxDepth: number | null;
}

export interface UrlFilter {
  readonly scope: CrawlScope;
  readonly roots: readonly ScopeRoot[];
  readonly include: readonly UrlPattern[];
  readonly exclude: readonly UrlPattern[];
  readonly maxDepth: number | null;
}

/** The part of the web that one start URL opens. */
interface ScopeRoot {
  readonly host: string;
  readonly domain: string;
  readonly port: string;
  /** Without the final slash: covers the folder itself and everything below it. */
  readonly folder: string;
}

export type UrlFilterVerdict =
  | { readonly admit: true }
  | {
      readonly admit: false;
      readonly reason: 'bad-url' | 'out-of-scope' | 'too-deep' | 'excluded' | 'not-included';
      readonly rule: string;
    };

const MAX_PATTERN_CHARS = 16_384;
/** Every URL is compared with all patterns, in time proportional to its length and the states that they follow at once. */
const MAX_STATES = 4096;

/** Throws `pattern.invalid`. */
export function compileUrlFilter(settings: UrlFilterSettings): UrlFilter {
  const patterns = [...settings.include, ...settings.exclude];
  if (patterns.reduce((sum, { length }) => sum + length, 0) > MAX_PATTERN_CHARS)
    throw pinakesError('pattern.invalid', {
      pattern: (patterns[0] ?? '').slice(0, 100),
      reason: `all patterns together are longer than ${MAX_PATTERN_CHARS} characters`,
    });
  const include = settings.include.map(compileUrlPattern);
  const exclude = settings.exclude.map(compileUrlPattern);
  if ([...include, ...exclude].reduce((sum, { path }) => sum + mostStates(path), 0) > MAX_STATES)
    throw pinakesError('pattern.invalid', {
      pattern: (patterns[0] ?? '').slice(0, 100),
      reason: `all patterns together have more than ${MAX_STATES} characters after their first wildcard`,
    });
  return {
    scope: settings.scope,
    roots: settings.starts.map((start) => rootOf(new URL(start))),
    include: include.filter(({ negated }) => !negated),
    exclude: [...exclude, ...include.filter(({ negated }) => negated)],
    maxDepth: settings.maxDepth,
  };
}

export function urlFilterVerdict(url: string, depth: number, filter: UrlFilter): UrlFilterVerdict {
  const page = parsePageUrl(url);
  if (page === null) return excluded('bad-url', 'not a URL');
  const parsed = new URL(page);
  if (!isInScope(parsed, filter)) {
    return excluded(
      'out-of-scope',
      `scope ${filter.scope}: ${filter.roots.map((start) => describeRoot(start, filter.scope)).join(', ')}`,
    );
  }
  const excludedBy = filter.exclude.find((pattern) => matchesUrlPattern(parsed, pattern));
  if (excludedBy !== undefined) return excluded('excluded', `exclude ${excludedBy.text}`);
  if (filter.include.length > 0 && !filter.include.some((pattern) => matchesUrlPattern(parsed, pattern))) {
    return excluded('not-included', `include ${filter.include.map(({ text }) => text).join(' ')}`);
  }
  if (filter.maxDepth !== null && !(depth <= filter.maxDepth)) return excluded('too-deep', `depth ${filter.maxDepth}`);
  return { admit: true };
}

function excluded(reason: Extract<UrlFilterVerdict, { admit: false }>['reason'], rule: string): UrlFilterVerdict {
  return { admit: false, reason, rule };
}

function rootOf(url: URL): ScopeRoot {
  // http and https on their default ports are the same root: sites move between the two.
  const port = url.port;
  // Below a public suffix such as github.io every name has another owner. IP addresses and bare names are their own domain.
  const domain = getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.hostname;
  return { host: url.hostname, domain, port, folder: scopeFolder(url.pathname) };
}

/** By the scope alone, without the patterns. Cheap: a sitemap may list millions of URLs that are not. */
export function isInScope(url: URL, { roots, scope }: Pick<UrlFilter, 'roots' | 'scope'>): boolean {
  const root = rootOf(url);
  return roots.some((start) => isBelow(root, url.pathname, start, scope));
}

function isBelow(root: ScopeRoot, pathname: string, start: ScopeRoot, scope: CrawlScope): boolean {
  if (root.port !== start.port) return false;
  if (scope === 'domain') return root.domain === start.domain;
  if (root.host !== start.host) return false;
  return scope === 'host' || pathname === start.folder || pathname.startsWith(`${start.folder}/`);
}

function describeRoot(start: ScopeRoot, scope: CrawlScope): string {
  const port = start.port === '' ? '' : `:${start.port}`;
  if (scope === 'domain') return start.domain + port;
  return scope === 'host' ? start.host + port : `${start.host}${port}${start.folder}/`;
}

/**
 * A user's pattern for URLs: a glob on the path, and on the host if one is given.
 *
 *   /docs/**              the folder /docs of any host in scope
 *   api/*.html            a folder `api` at any depth
 *   /guide/               everything under /guide
 *   //*.example.dev/v2/** these hosts only; same as https://…
 *   !/docs/old/**         excludes what it matches
 */
export interface UrlPattern {
  /** As the user wrote it. */
  readonly text: string;
  readonly negated: boolean;
  readonly host: Glob | null;
  readonly path: Glob;
}

export function compileUrlPattern(text: string): UrlPattern {
  const trimmed = text.trim();
  const negated = trimmed.startsWith('!') && !trimmed.startsWith('!(');
  const body = negated ? trimmed.slice(1) : trimmed;
  const withHost = /^(?:https?:)?\/\/([^/]*)(.*)$/s.exec(body);
  if (withHost === null) return { text, negated, host: null, path: compileGlob(rootedGlob(body)) };
  const [, host = '', path = ''] = withHost;
  if (host === '')
    throw pinakesError('pattern.invalid', { pattern: text.slice(0, 80), reason: 'the host after // is missing' });
  return { text, negated, host: compileGlob(host.toLowerCase()), path: compileGlob(rootedGlob(path || '/')) };
}

function rootedGlob(glob: string): string {
  if (glob === '') return glob;
  const rooted = glob.startsWith('/') || glob.startsWith('**') ? glob : `/**/${glob}`;
  return rooted.endsWith('/') ? `${rooted}**` : rooted;
}

export function matchesUrlPattern(url: URL, pattern: UrlPattern): boolean {
  if (pattern.host !== null) {
    const host = pattern.host.pattern.includes(':') ? url.host : url.hostname;
    if (!matchesGlob(host, pattern.host)) return false;
  }
  return matchesGlob(url.pathname, pattern.path);
}
