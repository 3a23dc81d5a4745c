// The attribute list at the end of a Markdown heading, in which an author chooses its anchor: `{#id}`, `{ #id .class }` and
// `{: #id }` of Python-Markdown, Pandoc and others, and `[#id]`.

export interface HeadingAttributes {
  /** The heading without the attribute list. */
  readonly text: string;
  /** Null if the list has none, or there is no list. */
  readonly anchor: string | null;
}

const MAX_LIST_CHARS = 400;

const LIST = /\s*\\?\{(:?)([^{}]*?)\\?\}$/;
const BRACKET = /\s*\[#([\w.:-]{1,200})\](?!\()$/;
const ATTRIBUTE = /^(?:#[^\s#]{1,200}|\.[\w-]+|[\w-]+=\S+)$/;

export function splitHeadingAttributes(heading: string): HeadingAttributes {
  const end = heading.slice(-MAX_LIST_CHARS);
  const [bracket, bracketId] = BRACKET.exec(end) ?? [];
  if (bracket !== undefined) return { text: heading.slice(0, -bracket.length), anchor: bracketId ?? null };
  const [list, colon, content = ''] = LIST.exec(end) ?? [];
  if (list === undefined) return { text: heading, anchor: null };
  const attributes = content.trim().split(/\s+/);
  // A value such as `{name}` or `{a=b}` is part of the title.
  const isList = colon === ':' || attributes.some((attribute) => /^[#.]/.test(attribute));
  if (!isList || !attributes.every((attribute) => ATTRIBUTE.test(attribute))) return { text: heading, anchor: null };
  const anchor = attributes.find((attribute) => attribute.startsWith('#'))?.slice(1) ?? null;
  return { text: heading.slice(0, -list.length), anchor };
}
