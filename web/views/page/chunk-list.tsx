// The chunks of a page, as they are stored, embedded and cited.

import { useState, type ReactNode } from 'react';
import type { ChunkView } from '../../api/responses.ts';
import { formatCount } from '../../components/format.ts';

const INITIAL_CHUNKS = 100;

export function ChunkList({ chunks }: { readonly chunks: readonly ChunkView[] }): ReactNode {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? chunks : chunks.slice(0, INITIAL_CHUNKS);
  return (
    <>
      <ol>
        {shown.map((chunk) => (
          <Chunk key={chunk.id} chunk={chunk} />
        ))}
      </ol>
      {shown.length < chunks.length && (
        <p>
          <button className="button" type="button" onClick={() => setIsWhole(true)}>
            Show {formatCount(chunks.length - shown.length)} more
          </button>
        </p>
      )}
    </>
  );
}

function Chunk({ chunk }: { readonly chunk: ChunkView }): ReactNode {
  const [isCopied, setIsCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(chunk.id).then(() => setIsCopied(true));
  };
  return (
    <li className="chunk">
      <div className="row spread small">
        <span className="row">
          <span className="tag">{chunk.passageKind}</span>
          {chunk.symbol !== null && <span className="mono">{chunk.symbol}</span>}
          <span className="muted">{chunk.headings.join(' › ')}</span>
        </span>
        <span className="row muted num">
          lines {chunk.lines.first}–{chunk.lines.last} · {formatCount(chunk.tokens)} tokens
          <button type="button" className="button plain mono small" title="Copy the full id" onClick={copy}>
            {isCopied ? 'copied' : chunk.id.slice(0, 12)}
          </button>
        </span>
      </div>
      <pre className="code" tabIndex={0}>
        {chunk.text}
      </pre>
    </li>
  );
}
