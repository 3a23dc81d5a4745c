// /.well-known/api-catalog (RFC 9727): a linkset in which a site names the APIs that it publishes. Only the descriptions that are read as
// documentation are taken from it, which are OpenAPI documents.

import { parsePageUrl, type PageUrl } from '../model/page-url.ts';

export const API_CATALOG_PATH = '/.well-known/api-catalog';
export const LINKSET_TYPE = 'application/linkset+json';

const MAX_DESCRIPTIONS = 100;

/** Attributes of a link; a target without a type is tried. */
const DESCRIPTION_TYPE = /openapi|json|yaml/i;

/** The targets of `service-desc`, without duplicates; nothing for a text that is not a linkset. */
export function apiDescriptions(text: string, base: PageUrl): readonly PageUrl[] {
  const found = new Set<PageUrl>();
  for (const context of listOf(fieldOf(parseJson(text), 'linkset'))) {
    for (const target of listOf(fieldOf(context, 'service-desc'))) {
      const [href, type] = [fieldOf(target, 'href'), fieldOf(target, 'type')];
      if (typeof href !== 'string' || (typeof type === 'string' && !DESCRIPTION_TYPE.test(type))) continue;
      const url = parsePageUrl(href, base);
      if (url !== null && found.size < MAX_DESCRIPTIONS) found.add(url);
    }
  }
  return [...found];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
