// Faults of the list that are not tested here, each with its reason.

export const NOT_TESTED: Readonly<Record<string, string>> = {
  F33: 'needs a release before this one; test:rolling-upgrade makes up a newer program instead',
  F39: 'played by test:render-chaos, which kills the browser again and again',
};
