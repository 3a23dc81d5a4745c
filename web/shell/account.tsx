// Who is signed in, and the way out.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { signOut } from '../api/client.ts';
import { queryClient, sessionQuery } from '../api/queries.ts';

/** Nothing for a caller who needs no sign-in. */
export function Account(): ReactNode {
  const { data } = useQuery(sessionQuery);
  const caller = data?.caller ?? null;
  if (caller === null) return null;
  return (
    <div className="account" role="group" aria-label="Account">
      <span className="account-name">
        <strong className="truncate" title={caller.name}>
          {caller.name}
        </strong>
        <span className="account-role">{caller.role === 'admin' ? 'Administrator' : 'Reader'}</span>
      </span>
      <button type="button" className="button plain small" onClick={() => void leave()}>
        Sign out
      </button>
    </div>
  );
}

/** Nothing of what the caller saw stays on the page. */
async function leave(): Promise<void> {
  await signOut().catch(() => undefined);
  queryClient.clear();
  location.assign('/');
}
