// Starts an analysis of the stored pages, and shows the link to its run.

import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { post } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { StartedAnalysis } from '../../api/responses.ts';

export function AnalyzeButton(): ReactNode {
  const start = useMutation({
    mutationFn: () => post<StartedAnalysis>('/analysis/start'),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['analyses'] }),
  });
  return (
    <>
      <button className="button" type="button" disabled={start.isPending} onClick={() => start.mutate()}>
        Perform Analysis
      </button>
      {start.data !== undefined && <a href={start.data.detailUrl}>{start.data.runId}</a>}
      {start.error !== null && <span className="muted">{start.error.message}</span>}
    </>
  );
}
