// A header that a source sends to its own origin, written with the names of environment variables where secrets belong:
// `Authorization: Bearer {DOCS_TOKEN}`. The text itself is no secret and may be stored, listed and exported.

export interface HeaderTemplate {
  /** In lower case. */
  readonly name: string;
  readonly parts: ReadonlyArray<{ readonly text: string } | { readonly variable: string }>;
}

const FORM = /^([A-Za-z][A-Za-z0-9-]{0,63}): ?([\x20-\x7e]{1,2000})$/;
const REFERENCE = /\{([A-Z][A-Z0-9_]{0,99})\}/;

/** A sentence that says what is wrong; null where it can be used. */
export function headerTemplateProblem(text: string): string | null {
  const template = parseHeaderTemplate(text);
  if (template === null) return 'not a header such as Authorization: Bearer {DOCS_TOKEN}';
  if (template.parts.some((part) => 'variable' in part)) return null;
  return 'a header names its secret by an environment variable in braces, as in Authorization: Bearer {DOCS_TOKEN}';
}

export function parseHeaderTemplate(text: string): HeaderTemplate | null {
  const [, name, value] = FORM.exec(text) ?? [];
  if (name === undefined || value === undefined) return null;
  // Every second piece is a name.
  const parts = value
    .split(REFERENCE)
    .map((piece, i) => (i % 2 === 0 ? { text: piece } : { variable: piece }))
    .filter((part) => !('text' in part) || part.text !== '');
  return { name: name.toLowerCase(), parts };
}
