// Events and URLs for a person at a terminal, one a line.

import type { EventView } from '../../../actions/list-events.ts';
import type { UrlView } from '../../../actions/list-urls.ts';

export function renderEvents({ events }: { readonly events: readonly EventView[] }): string {
  if (events.length === 0) return 'Nothing happened yet.\n';
  return events
    .map(({ seq, at, run, kind, url, detail }) => {
      const facts = Object.entries(detail).map(([name, value]) => `${name}=${textOf(value)}`);
      return [String(seq), at, `run ${run}`, kind, url ?? '', ...facts].filter((part) => part !== '').join('  ');
    })
    .map((line) => `${line}\n`)
    .join('');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function renderUrls({
  run,
  urls,
  after,
}: {
  run: number;
  urls: readonly UrlView[];
  after: string | null;
}): string {
  if (urls.length === 0) return 'No such URL.\n';
  const lines = urls.map(({ url, state, outcome, reason, foundBy }) => {
    const why = reason === null ? '' : `: ${reason}`;
    return `${outcome ?? state}${why}  ${url}  (${foundBy})\n`;
  });
  return lines.join('') + (after === null ? '' : `There are more: pinakes urls ${run} --after ${after}\n`);
}
