// What the exit code of a command says.

export const EXIT = {
  done: 0,
  /** It was understood and did not succeed: the sentence on stderr says why. */
  failed: 1,
  /** It was not understood: a wrong flag, a missing argument, an unknown setting. */
  usage: 2,
} as const;
