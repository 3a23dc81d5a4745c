// Faults of the list that are not tested here, each with its reason.

export const NOT_TESTED: Readonly<Record<string, string>> = {
  F33: 'needs a release before this one; there is none',
  F39: 'concerns rendering in a browser, which is not built yet',
};
