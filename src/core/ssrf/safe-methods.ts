// Which methods a page in a browser may use: those that do not change anything on a server.

/** A preflight (OPTIONS) precedes a request to another origin. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
