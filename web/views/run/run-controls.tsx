// Buttons to pause, resume, stop and repeat a run. If the server refuses a command, its message is shown.

import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunView } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';

export function RunControls({ run }: { readonly run: RunView }): ReactNode {
  const navigate = useNavigate();
  const control = useMutation({
    mutationFn: (command: 'pause' | 'resume' | 'stop') => post(`/runs/${run.run}/${command}`),
    onSettled: () => queryClient.invalidateQueries(),
  });
  const rerun = useMutation({
    mutationFn: () => post<{ run: number }>(`/sources/${encodeURIComponent(run.source)}/recrawl`),
    onSuccess: ({ run: next }) => navigate({ to: '/runs/$run', params: { run: String(next) } }),
  });
  const error = control.error ?? rerun.error;
  const commandButton = (command: 'pause' | 'resume' | 'stop', label: string): ReactNode => (
    <button className="button" type="button" disabled={control.isPending} onClick={() => control.mutate(command)}>
      {label}
    </button>
  );
  return (
    <>
      {error !== null && (
        <span className="small" role="alert">
          {error.message}
        </span>
      )}
      {(run.state === 'running' || run.state === 'queued') && commandButton('pause', 'Pause')}
      {run.state === 'paused' && commandButton('resume', 'Resume')}
      {run.endedAt === null && run.state !== 'stopping' && commandButton('stop', 'Stop')}
      {run.endedAt !== null && (
        <button className="button" type="button" disabled={rerun.isPending} onClick={() => rerun.mutate()}>
          {run.counts.failed > 0 ? 'Run again and retry failures' : 'Recrawl now'}
        </button>
      )}
    </>
  );
}
