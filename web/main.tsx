// Starts the dashboard: one event stream, one query cache, one router.

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { startLiveUpdates } from './live/live-store.ts';
import { router } from './routes.tsx';

startLiveUpdates((run) => {
  // The first snapshot, or one after a reconnect: anything may have changed, or failed to load, in between.
  if (run === null) {
    void queryClient.invalidateQueries();
    return;
  }
  void queryClient.invalidateQueries({ queryKey: ['library'] });
  void queryClient.invalidateQueries({ queryKey: ['runs'] });
  void queryClient.invalidateQueries({ queryKey: ['run', run] });
}, new AbortController().signal);

const root = document.querySelector('#app');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
