// Pause, resume, stop, and run again. A wish that the run cannot fulfil is answered in its words.

import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunView } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';

export function RunControls({ run }: { readonly run: RunView }): ReactNode {
  const navigate = useNavigate();
  const control = useMutation({
    mutationFn: (wish: 'pause' | 'resume' | 'stop') => post(`/runs/${run.run}/${wish}`),
    onSettled: () => queryClient.invalidateQueries(),
  });
  const again = useMutation({
    mutationFn: () => post<{ run: number }>(`/sources/${encodeURIComponent(run.source)}/recrawl`),
    onSuccess: ({ run: next }) => navigate({ to: '/runs/$run', params: { run: String(next) } }),
  });
  const error = control.error ?? again.error;
  const wish = (name: 'pause' | 'resume' | 'stop', text: string): ReactNode => (
    <button className="button" type="button" disabled={control.isPending} onClick={() => control.mutate(name)}>
      {text}
    </button>
  );
  return (
    <>
      {error !== null && (
        <span className="small" role="alert">
          {error.message}
        </span>
      )}
      {(run.state === 'running' || run.state === 'queued') && wish('pause', 'Pause')}
      {run.state === 'paused' && wish('resume', 'Resume')}
      {run.endedAt === null && run.state !== 'stopping' && wish('stop', 'Stop')}
      {run.endedAt !== null && (
        <button className="button" type="button" disabled={again.isPending} onClick={() => again.mutate()}>
          {run.counts.failed > 0 ? 'Run again, and try what failed' : 'Bring up to date'}
        </button>
      )}
    </>
  );
}
