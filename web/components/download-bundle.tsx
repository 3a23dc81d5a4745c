// Each source as a bundle to be carried away. Where no token is needed the browser saves it as it comes; else it is
// fetched first.

import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SourceHealth } from '../api/responses.ts';
import { fetchFile, hasToken } from '../api/client.ts';
import { counted } from './format.ts';

export function ExportTable({ sources }: { readonly sources: readonly SourceHealth[] }): ReactNode {
  const full = sources.filter(({ versions }) => (versions.at(-1)?.pages ?? 0) > 0);
  if (full.length === 0) return <p className="quiet">There is nothing to carry away yet.</p>;
  return (
    <>
      <p className="quiet">
        A bundle is read without this program by people and agents, and imported by another library. The compact one
        holds only what a reader with a budget of tokens needs.
      </p>
      <ul className="listed">
        {full.map(({ source, versions }) => (
          <li key={source} className="row apart">
            <span>
              <strong>{source}</strong>{' '}
              <span className="quiet small num">{counted(versions.at(-1)?.pages ?? 0, 'page')}</span>
            </span>
            <span className="row">
              <SaveBundle source={source} isCompact={false} />
              <SaveBundle source={source} isCompact />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

export function SaveBundle({ source, isCompact }: { readonly source: string; readonly isCompact: boolean }): ReactNode {
  const path = `/sources/${encodeURIComponent(source)}/bundle?compact=${isCompact}`;
  const says = isCompact ? 'Save compact' : 'Save as a bundle';
  const save = useMutation({ mutationFn: () => fetchFile(path, `${source}.zip`) });
  if (!hasToken())
    return (
      <a className="button" href={`/api${path}`} download>
        {says}
      </a>
    );
  return (
    <>
      {save.error !== null && <span role="alert">{save.error.message}</span>}
      <button className="button" type="button" disabled={save.isPending} onClick={() => save.mutate()}>
        {save.isPending ? 'Fetching…' : says}
      </button>
    </>
  );
}
