// When a thousand requests come at once, a few are begun in each turn of the event loop: what else waits there, the first
// answers among it, is not held up by all of them.

type Begin<Args extends readonly unknown[]> = (...args: Args) => void;

/** Begins what it is called for at once, or in one of the next turns, in order. */
export function fewAtATurn<Args extends readonly unknown[]>(most: number, begin: Begin<Args>): Begin<Args> {
  const waiting: Args[] = [];
  let left = most;
  let isTurnEnding = false;

  const nextTurn = (): void => {
    left = most;
    isTurnEnding = false;
    for (const args of waiting.splice(0, most)) beginNow(args);
  };
  const beginNow = (args: Args): void => {
    left -= 1;
    if (!isTurnEnding) setImmediate(nextTurn);
    isTurnEnding = true;
    begin(...args);
  };
  return (...args) => {
    if (left > 0 && waiting.length === 0) beginNow(args);
    else waiting.push(args);
  };
}
