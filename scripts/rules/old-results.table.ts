// Results that cannot be repeated as they stand, each with the reason why it is kept. The list may only shrink: measure them again,
// or delete them and what quotes them.

/** Measured at a commit of the series that was joined into the one that adds the result. */
const SQUASHED = 'its commit was squashed: repeat the command on a later one';

export const oldResults: ReadonlyMap<string, string> = new Map([
  ['answer-cpu', SQUASHED],
  ['embed', SQUASHED],
  ['engines', SQUASHED],
  ['extraction-speed', SQUASHED],
  ['frontier-postgres', SQUASHED],
  ['frontier-sqlite', SQUASHED],
  ['http-fuzz', SQUASHED],
  ['proxy-fuzz', SQUASHED],
  ['storage', SQUASHED],
  ['dependencies', 'needs the registry; its branch was rebased after the measurement'],
  ['extraction', 'first figures of unseen generators, which exist once; the program has moved to bench/extract'],
]);
