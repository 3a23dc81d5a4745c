// Anchors of Markdown headings, as GitHub makes them and most site generators after it.

/** A slugger remembers the anchors of one document, so that the second "Example" becomes `example-1`. */
export function createSlugger(): (heading: string) => string {
  const taken = new Map<string, number>();
  return (heading) => {
    const base = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let slug = base;
    let count = taken.get(base) ?? 0;
    while (taken.has(slug)) {
      count += 1;
      slug = `${base}-${count}`;
    }
    taken.set(base, count);
    taken.set(slug, taken.get(slug) ?? 0);
    return slug;
  };
}
