// Results that cannot be repeated as they stand, each with the reason why it is kept. The list may only shrink: measure them again,
// or delete them and what quotes them.

export const oldResults: ReadonlyMap<string, string> = new Map([
  ['dependencies', 'needs the registry; its branch was rebased after the measurement'],
  ['extraction', 'first figures of unseen generators, which exist once; the program has moved to bench/extract'],
]);
