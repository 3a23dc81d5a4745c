// Faults of the list that are not played here, each with its reason.

export const ELSEWHERE: Readonly<Record<string, string>> = {
  F03: 'concerns the embedder: its queue is tried by the contract of the store, the rest belongs to embedding',
  F25: 'concerns the HTTP server, which is not built yet',
  F33: 'needs a release before this one; there is none',
  F36: 'concerns the embedding service',
  F37: 'concerns the embedding service',
  F39: 'concerns rendering in a browser, which is not built yet',
};
