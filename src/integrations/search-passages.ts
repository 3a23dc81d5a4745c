// Passages of a library in the flat form that the frameworks' documents take.

import type { ActionInput, ActionOutput } from '../actions/actions.ts';
import type { CallOptions } from '../client/transport.ts';
import type { Library } from '../client/library.ts';

type SearchInput = ActionInput<'search_docs'>;
type Passage = ActionOutput<'search_docs'>['passages'][number];

/** Which passages a retriever returns, by the inputs of `search_docs`. */
export interface RetrieverOptions extends Partial<
  Pick<
    SearchInput,
    'source' | 'version' | 'path' | 'passageKind' | 'heading' | 'symbol' | 'limit' | 'budget' | 'prefer'
  >
> {
  readonly library: Pick<Library, 'search'>;
}

/** Text and numbers, never null. */
export interface PassageMetadata {
  /** The URL to cite, with the anchor of the passage. */
  readonly source: string;
  /** The URL of the page. */
  readonly source_url: string;
  readonly title: string;
  /** From the page title down to the passage, joined by ` > `. */
  readonly section_path: string;
  /** The source of the library that the page belongs to, and its version. */
  readonly library_source: string;
  readonly library_version: string;
  readonly first_line: number;
  readonly last_line: number;
  /** When the page was last confirmed current; ISO 8601. */
  readonly checked_at: string;
  /** `imported`: the page is from a bundle that claims its URL, and was not fetched. */
  readonly provenance: 'fetched' | 'imported';
  /** From 1, the best. */
  readonly rank: number;
  /** Prompt-injection patterns found in the text, joined by commas. */
  readonly injection_flags: string;
}

export interface FlatPassage {
  readonly id: string;
  readonly text: string;
  readonly metadata: PassageMetadata;
}

export async function searchPassages(
  query: string,
  { library, ...input }: RetrieverOptions,
  options: CallOptions = {},
): Promise<readonly FlatPassage[]> {
  const { passages } = await library.search({ ...input, query }, options);
  return passages.map(flatten);
}

function flatten(passage: Passage, at: number): FlatPassage {
  const { chunkId, text, url, title, headings, source, version, lines, checkedAt, injectionFlags = [] } = passage;
  return {
    id: chunkId,
    text,
    metadata: {
      source: url,
      source_url: url.replace(/#.*$/s, ''),
      title,
      section_path: headings.join(' > '),
      library_source: source,
      library_version: version,
      first_line: lines.first,
      last_line: lines.last,
      checked_at: checkedAt,
      provenance: passage.isImported === true ? 'imported' : 'fetched',
      rank: at + 1,
      injection_flags: injectionFlags.join(','),
    },
  };
}
