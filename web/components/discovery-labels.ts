// Labels for how pages are discovered and how their Markdown versions are reached.

const DISCOVERY_LABELS: Readonly<Record<string, string>> = {
  seed: 'start URL',
  'llms-txt': 'llms.txt',
  'llms-full': 'llms-full.txt',
  sitemap: 'sitemap',
  link: 'links',
  previous: 'an earlier run',
  'api-catalog': 'API catalogue',
  plan: 'Plan',
};

export function discoveryLabel(foundBy: string): string {
  return DISCOVERY_LABELS[foundBy] ?? foundBy;
}

/** `via llms.txt`, `via links, at depth 2`. */
export function describeDiscovery(foundBy: string, depth: number): string {
  if (foundBy === 'seed') return 'as the start URL';
  return depth === 0 ? `via ${discoveryLabel(foundBy)}` : `via ${discoveryLabel(foundBy)}, at depth ${depth}`;
}

const MARKDOWN_ROUTE_LABELS: Readonly<Record<string, string>> = {
  suffix: '.md appended to the URL',
  replace: '.md instead of .html',
  'index-html': 'index.html.md under the URL',
  'html-suffix': '.html.md appended to the URL',
  alternate: 'the alternate link on each page',
};

export function markdownRouteLabel(route: string): string {
  return MARKDOWN_ROUTE_LABELS[route] ?? route;
}
