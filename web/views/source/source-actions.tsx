// The actions on a source, in the header of its view.

import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SourceStats } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import { DownloadBundle } from '../../components/download-bundle.tsx';

export function SourceActions({ source }: { readonly source: SourceStats }): ReactNode {
  const navigate = useNavigate();
  const update = useMutation({
    mutationFn: () => post<{ run: number }>(`/sources/${encodeURIComponent(source.source)}/recrawl`),
    onSuccess: ({ run }) => navigate({ to: '/runs/$run', params: { run: String(run) } }),
  });
  return (
    <>
      {update.error !== null && (
        <span className="small" role="alert">
          {update.error.message}
        </span>
      )}
      <Link className="button" to="/search" search={{ source: source.source }}>
        Search
      </Link>
      {(source.versions.at(-1)?.pages ?? 0) > 0 && <DownloadBundle source={source.source} isCompact={false} />}
      {source.versions.length > 1 && (
        <Link className="button" to="/sources/$source/compare" params={{ source: source.source }}>
          Compare versions
        </Link>
      )}
      <Link className="button" to="/sources/$source/edit" params={{ source: source.source }}>
        Edit
      </Link>
      <Link className="button" to="/sources/$source/remove" params={{ source: source.source }}>
        Remove
      </Link>
      <Link className="button" to="/sources/$source/recrawl" params={{ source: source.source }}>
        Recrawl with options
      </Link>
      <button className="button primary" type="button" disabled={update.isPending} onClick={() => update.mutate()}>
        Recrawl now
      </button>
    </>
  );
}
