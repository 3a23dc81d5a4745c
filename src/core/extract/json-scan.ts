// Looks at JSON text without building it: how deep it goes, whether a key stands twice in one object. Linear, and no
// recursion, so depth alone cannot hurt.

export interface JsonScan {
  readonly depth: number;
  /** Paths such as `$.a.b` of keys that stand twice in one object, the first few. */
  readonly duplicates: readonly string[];
}

interface Level {
  /** Keys seen so far; null inside a list. */
  readonly keys: Set<string> | null;
  readonly name: string;
}

const MAX_NOTED = 10;
const STRUCTURE = /["{}[\],]/g;

/** For text that JSON.parse accepts; stops early at `maxDepth`. */
export function scanJson(text: string, maxDepth: number): JsonScan {
  const open: Level[] = [];
  const duplicates: string[] = [];
  let deepest = 0;
  let expectsKey = false;
  let lastKey = '$';
  const structure = new RegExp(STRUCTURE);
  for (let found = structure.exec(text); found !== null; found = structure.exec(text)) {
    const sign = found[0];
    if (sign === '{' || sign === '[') {
      open.push({ keys: sign === '{' ? new Set() : null, name: lastKey });
      deepest = Math.max(deepest, open.length);
      if (deepest > maxDepth) break;
      expectsKey = sign === '{';
    } else if (sign === '}' || sign === ']') {
      open.pop();
      expectsKey = false;
    } else if (sign === ',') {
      expectsKey = open.at(-1)?.keys !== null;
    } else {
      structure.lastIndex = stringEnd(text, found.index);
      if (expectsKey) {
        lastKey = text.slice(found.index + 1, structure.lastIndex - 1);
        noteKey(open, lastKey, duplicates);
      }
      expectsKey = false;
    }
  }
  return { depth: deepest, duplicates };
}

function noteKey(open: readonly Level[], key: string, duplicates: string[]): void {
  const keys = open.at(-1)?.keys;
  if (keys === null || keys === undefined) return;
  if (keys.has(key) && duplicates.length < MAX_NOTED) {
    duplicates.push([...open.map(({ name }) => name), key].join('.').slice(0, 200));
  }
  keys.add(key);
}

/** Past the closing quote: the first one that no odd run of backslashes escapes. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
