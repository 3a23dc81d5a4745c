// What an analysis run found, from its summary, whose inner fields the API leaves open.

import type { AnalysisView } from '../../api/responses.ts';

export function highlightsOf({ summary }: Pick<AnalysisView, 'summary'>): readonly string[] {
  const lines = summary?.['analysisHighlights'];
  return Array.isArray(lines) ? lines.map(String) : [];
}

/** Pages processed by kind, most frequent first. */
export function kindsOf({ summary }: Pick<AnalysisView, 'summary'>): ReadonlyArray<readonly [string, number]> {
  const { pages } = (summary?.['steps'] ?? {}) as { readonly pages?: { readonly kinds?: Record<string, number> } };
  return Object.entries(pages?.kinds ?? {}).toSorted(([, a], [, b]) => b - a);
}
