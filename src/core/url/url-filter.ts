// Decides whether a crawl may take a URL. Judged on the final URL after redirects as well, and fails closed.
// Never fetches, never logs: the caller reports the verdict.

import { getDomain } from 'tldts';
import { parsePageUrl, type PageUrl } from '../model/page-url.ts';
import { compileUrlPattern, matchesUrlPattern, type UrlPattern } from './url-pattern.ts';

/** `path` stays in the folders of the start URLs, `host` on their hosts, `domain` on their registrable domains. */
export type Breadth = 'path' | 'host' | 'domain';

export interface ScopeSettings {
  readonly starts: readonly PageUrl[];
  readonly breadth: Breadth;
  /** Globs; none means all. One that starts with `!` blocks. */
  readonly allow: readonly string[];
  /** Globs; a match refuses, whatever `allow` says. */
  readonly block: readonly string[];
  /** Links away from a start URL; null means no limit. */
  readonly maxDepth: number | null;
}

export interface Scope {
  readonly breadth: Breadth;
  readonly homes: readonly Home[];
  readonly allow: readonly UrlPattern[];
  readonly block: readonly UrlPattern[];
  readonly maxDepth: number | null;
}

/** Where one start URL lives. */
interface Home {
  readonly host: string;
  readonly domain: string;
  readonly port: string;
  /** Without final slash: the folder itself and all below it belong to it. */
  readonly folder: string;
}

export type ScopeVerdict =
  | { readonly admit: true }
  | {
      readonly admit: false;
      readonly because: 'bad-url' | 'other-place' | 'too-deep' | 'blocked' | 'not-allowed';
      readonly rule: string;
    };

/** Throws `pattern.invalid` for a pattern that cannot be used. */
export function compileScope(settings: ScopeSettings): Scope {
  const allow = settings.allow.map(compileUrlPattern);
  const block = settings.block.map(compileUrlPattern);
  return {
    breadth: settings.breadth,
    homes: settings.starts.map((start) => homeOf(new URL(start))),
    allow: allow.filter(({ refuses }) => !refuses),
    block: [...block, ...allow.filter(({ refuses }) => refuses)],
    maxDepth: settings.maxDepth,
  };
}

export function scopeVerdict(url: string, depth: number, scope: Scope): ScopeVerdict {
  const page = parsePageUrl(url);
  if (page === null) return refuse('bad-url', 'not an address');
  const parsed = new URL(page);
  const home = homeOf(parsed);
  if (!scope.homes.some((start) => sharesHome(home, parsed.pathname, start, scope.breadth))) {
    return refuse(
      'other-place',
      `breadth ${scope.breadth}: ${scope.homes.map((start) => placeName(start, scope.breadth)).join(', ')}`,
    );
  }
  const blocked = scope.block.find((pattern) => matchesUrlPattern(parsed, pattern));
  if (blocked !== undefined) return refuse('blocked', `block ${blocked.text}`);
  if (scope.allow.length > 0 && !scope.allow.some((pattern) => matchesUrlPattern(parsed, pattern))) {
    return refuse('not-allowed', `allow ${scope.allow.map(({ text }) => text).join(' ')}`);
  }
  if (scope.maxDepth !== null && !(depth <= scope.maxDepth)) return refuse('too-deep', `depth ${scope.maxDepth}`);
  return { admit: true };
}

function refuse(because: Extract<ScopeVerdict, { admit: false }>['because'], rule: string): ScopeVerdict {
  return { admit: false, because, rule };
}

function homeOf(url: URL): Home {
  // http and https on their usual ports are one place: sites move between the two.
  const port = url.port;
  // Under a public suffix such as github.io every name is another owner. Addresses and bare names are their own domain.
  const domain = getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.hostname;
  return { host: url.hostname, domain, port, folder: folderOf(url.pathname) };
}

/**
 * `/docs/intro` lives in `/docs`. A single segment without an ending, such as `/docs`, is a folder itself:
 * whoever adds it does not mean the whole host.
 */
function folderOf(pathname: string): string {
  const slash = pathname.lastIndexOf('/');
  if (slash === 0 && pathname.length > 1 && !pathname.includes('.')) return pathname;
  return pathname.slice(0, slash);
}

function sharesHome(home: Home, pathname: string, start: Home, breadth: Breadth): boolean {
  if (home.port !== start.port) return false;
  if (breadth === 'domain') return home.domain === start.domain;
  if (home.host !== start.host) return false;
  return breadth === 'host' || pathname === start.folder || pathname.startsWith(`${start.folder}/`);
}

function placeName(start: Home, breadth: Breadth): string {
  const port = start.port === '' ? '' : `:${start.port}`;
  if (breadth === 'domain') return start.domain + port;
  return breadth === 'host' ? start.host + port : `${start.host}${port}${start.folder}/`;
}
