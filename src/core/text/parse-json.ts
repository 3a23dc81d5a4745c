// JSON from outside, which a schema checks.

/** `undefined` for text that is not JSON; no JSON value parses to it, and no schema accepts it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** About 300 MB, if each is an object or a member of one. */
const MAX_VALUES = 3_000_000;

/**
 * For a text of many megabytes. An empty array of three characters takes fifty bytes, and while the engine parses, no limit of a thread's
 * memory ends it: a text with more values than any real one is not parsed.
 */
export function parseLargeJson(text: string): unknown {
  return countsAtMost(text, MAX_VALUES) ? parseJson(text) : undefined;
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = ['"', '\\', ',', '[', '{'].map((char) => char.charCodeAt(0));

/** A value follows each comma, and each bracket that opens. */
function countsAtMost(text: string, limit: number): boolean {
  // Two characters at least for each.
  if (text.length <= limit) return true;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < text.length && values <= limit; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    else if (code === COMMA || code === BRACKET || code === BRACE) values += 1;
  }
  return values <= limit;
}
