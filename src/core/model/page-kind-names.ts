// What a page may be for, by name.

export const PAGE_KINDS = ['article', 'reference', 'hub', 'index', 'other'] as const;
export type PageKindName = (typeof PAGE_KINDS)[number];
