// What is shown instead of an answer: what went wrong, in a sentence, and what to do about it.

import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ApiError, keepToken } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';

export function Failure({ error }: { readonly error: unknown }): ReactNode {
  if (error instanceof ApiError && error.status === 401) return <TokenGate />;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div className="notice" data-tone="bad" role="alert">
      <strong>This could not be shown</strong>
      <p>{message}</p>
      <p className="row">
        <button className="button" type="button" onClick={() => void queryClient.invalidateQueries()}>
          Try again
        </button>
      </p>
    </div>
  );
}

/** What somebody asked for was not done. The form is still there, so it is the form that is tried again. */
export function Refused({ what, error }: { readonly what: string; readonly error: unknown }): ReactNode {
  if (error instanceof ApiError && error.status === 401) return <TokenGate />;
  return (
    <div className="notice" data-tone="bad" role="alert">
      <strong>{what}</strong>
      <p>{error instanceof Error ? error.message : String(error)}</p>
    </div>
  );
}

function TokenGate(): ReactNode {
  const [token, setToken] = useState('');
  const keep = (): void => {
    keepToken(token.trim());
    void queryClient.resetQueries();
  };
  return (
    <form
      className="empty"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <h2>This server asks who you are</h2>
      <p>
        It listens beyond this machine, so every request needs a token. Make one where the server runs:{' '}
        <code className="mono">pinakes token create me --scope admin</code>
      </p>
      <label className="field" style={{ width: 'min(28rem, 100%)' }}>
        <span>Token</span>
        <input
          className="input"
          type="password"
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
      </label>
      <button className="button first" type="submit" disabled={token.trim() === ''}>
        Use this token in this tab
      </button>
    </form>
  );
}

export function ViewError({ error }: { readonly error: unknown }): ReactNode {
  return (
    <div className="view">
      <Failure error={error} />
    </div>
  );
}

export function NoSuchPlace(): ReactNode {
  return (
    <div className="view">
      <div className="empty">
        <h1>There is nothing at this address</h1>
        <p>A view may have moved, or the address was cut when it was copied.</p>
        <Link className="button" to="/">
          To the sources
        </Link>
      </div>
    </div>
  );
}
