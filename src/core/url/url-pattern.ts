// A user's pattern for URLs: a glob on the path, and on the host where one is given.
//
//   /docs/**              the folder /docs of any host in breadth
//   api/*.html            a folder `api` at any depth
//   /guide/               everything under /guide
//   //*.example.dev/v2/** these hosts only; https://… says the same
//   !/docs/old/**         refuses what the rest would match

import { pinakesError } from '../model/errors.ts';
import { compileGlob, matchesGlob, type Glob } from './glob.ts';

export interface UrlPattern {
  /** As the user wrote it. */
  readonly text: string;
  readonly refuses: boolean;
  readonly host: Glob | null;
  readonly path: Glob;
}

export function compileUrlPattern(text: string): UrlPattern {
  const trimmed = text.trim();
  const refuses = trimmed.startsWith('!') && !trimmed.startsWith('!(');
  const body = refuses ? trimmed.slice(1) : trimmed;
  const withHost = /^(?:https?:)?\/\/([^/]*)(.*)$/s.exec(body);
  if (withHost === null) return { text, refuses, host: null, path: compileGlob(wholePath(body)) };
  const [, host = '', path = ''] = withHost;
  if (host === '')
    throw pinakesError('pattern.invalid', { pattern: text.slice(0, 80), why: 'a host is missing after //' });
  return { text, refuses, host: compileGlob(host.toLowerCase()), path: compileGlob(wholePath(path || '/')) };
}

function wholePath(glob: string): string {
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
