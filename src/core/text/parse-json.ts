// JSON from outside, which a schema checks.

/** `undefined` for text that is not JSON; no JSON value parses to it, and no schema accepts it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
