// What should be known about a site before a large backfill. A specification fixes the milestones.

export const BACKFILLS = ['wide-history'] as const;

export const PREREQUISITES = ['full-understanding', 'depth2-coverage', 'articles-identified-1k'] as const;

export function missingPrerequisites(reached: ReadonlyArray<{ readonly kind: string }>): readonly string[] {
  const kinds = new Set(reached.map(({ kind }) => kind));
  return PREREQUISITES.filter((kind) => !kinds.has(kind));
}
