// Codes of the states that tables store as small numbers, interpolated into SQL. Never renumber: they are in databases, and
// partial indexes of the schema name them. Outcomes of URLs are numbered in core/model/outcome.ts.

import { OUTCOME_CODES } from '../../../core/model/outcome.ts';

/** frontier.state */
export const URL_STATE = { queued: 0, claimed: 1, waiting: 2, settled: 3, excluded: 4 } as const;

/** frontier.rank of a URL that is retried: it comes after those that were not tried yet. */
export const RETRY_RANK = 1000;

/** search_segments.state. A retiring segment is being merged into another one and is still searched. */
export const SEGMENT_STATE = { merging: 0, searchable: 1, retiring: 2, dropped: 3, filling: 4 } as const;

/** embeddings.state */
export const EMBEDDING_STATE = { pending: 0, claimed: 1, embedded: 2, failed: 3 } as const;

/** changes.kind */
export const CHANGE_KIND = { new: 1, changed: 2, removed: 3 } as const;

/** point_generations.state */
export const GENERATION_STATE = { building: 0, current: 1, dropped: 2, deleted: 3 } as const;

/** point_pages.state */
export const POINT_STATE = { reserved: 0, current: 1, replaced: 2, deletion: 3 } as const;

/** In SQL, the outcomes of a URL with a stored page that is neither an alias nor about to be removed. */
export const STORED_OUTCOMES_SQL = `(${OUTCOME_CODES.new}, ${OUTCOME_CODES.changed}, ${OUTCOME_CODES.unchanged})`;

/** In SQL, the states of segments that a search reads. */
export const SEARCHED_STATES_SQL = `(${SEGMENT_STATE.searchable}, ${SEGMENT_STATE.retiring})`;

/** In SQL, the states of texts that have no vector yet. */
export const UNEMBEDDED_STATES_SQL = `(${EMBEDDING_STATE.pending}, ${EMBEDDING_STATE.claimed})`;
