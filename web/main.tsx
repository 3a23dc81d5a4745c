// The dashboard begins: one stream of events, one cache of answers, one router.

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { startLive } from './live/live-store.ts';
import { router } from './routes.tsx';

startLive((run) => {
  void queryClient.invalidateQueries({ queryKey: ['library'] });
  void queryClient.invalidateQueries({ queryKey: ['runs'] });
  if (run !== null) void queryClient.invalidateQueries({ queryKey: ['run', run] });
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
