// The part of a passage that matches a query, with the matches marked and code as code.

import type { ReactNode } from 'react';
import { matchExcerpt, type ExcerptBlock, type QueryTerms } from '../../src/core/markdown/match-excerpt.ts';

export interface ExcerptViewProps {
  /** Markdown. */
  readonly text: string;
  readonly terms: QueryTerms;
}

export function ExcerptView({ text, terms }: ExcerptViewProps): ReactNode {
  return (
    <div className="excerpt">
      {matchExcerpt(text, terms).map((block, at) =>
        block.kind === 'code' ? (
          <pre key={at} className="code" tabIndex={0}>
            {markedSpans(block)}
          </pre>
        ) : (
          <p key={at}>{markedSpans(block)}</p>
        ),
      )}
    </div>
  );
}

function markedSpans({ spans }: ExcerptBlock): ReactNode {
  return spans.map(({ text, isMatch }, at) => (isMatch ? <mark key={at}>{text}</mark> : text));
}
