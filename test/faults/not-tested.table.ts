// Faults of the list that are not played here, each with its reason.

export const ELSEWHERE: Readonly<Record<string, string>> = {
  F33: 'needs a release before this one; there is none',
  F39: 'concerns rendering in a browser, which is not built yet',
};
