// Error states: what went wrong and what the user can do about it.

import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { ApiError, hasToken, saveToken } from '../api/client.ts';
import { queryClient, sessionQuery } from '../api/queries.ts';
import { useLive } from '../live/live-store.ts';

export function ErrorNotice({ error }: { readonly error: unknown }): ReactNode {
  if (error instanceof ApiError && error.status === 401) return <SignInForm />;
  if (error instanceof ApiError && error.code === 'unreachable') return <ServerDown />;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div className="notice" data-tone="bad" role="alert">
      <strong>Could not load this view</strong>
      <p>{message}</p>
      <p className="row">
        <button className="button" type="button" onClick={() => void queryClient.invalidateQueries()}>
          Try again
        </button>
      </p>
    </div>
  );
}

/** The rest of the dashboard stays as it is; once the event stream is back, everything is fetched again. */
function ServerDown(): ReactNode {
  return (
    <div className="notice" data-tone="bad" role="alert">
      <strong>The server does not respond</strong>
      <p>
        Is <code className="mono">pinakes serve</code> still running? This view continues as soon as it is back.
      </p>
    </div>
  );
}

/** A submission that failed. The form is still shown, so the user retries from there. */
export function FormError({ title, error }: { readonly title: string; readonly error: unknown }): ReactNode {
  if (error instanceof ApiError && error.status === 401) return <SignInForm />;
  return (
    <div className="notice" data-tone="bad" role="alert">
      <strong>{title}</strong>
      <p>{error instanceof Error ? error.message : String(error)}</p>
    </div>
  );
}

function SignInForm(): ReactNode {
  // A session that has just ended is no longer what the page knows.
  const { data } = useQuery({ ...sessionQuery, refetchOnMount: 'always' });
  const issuer = data?.issuer ?? null;
  if (issuer === null)
    return (
      <div className="empty">
        <h2>Sign in</h2>
        <TokenForm />
      </div>
    );
  const to = encodeURIComponent(location.pathname + location.search);
  return (
    <div className="empty sign-in">
      <h2>Sign in</h2>
      <p>You need an account at {issuer.host}.</p>
      <a className="button primary" href={`${issuer.signInUrl}?to=${to}`}>
        Sign in with {issuer.host}
      </a>
      <details open={hasToken()}>
        <summary>Use an access token instead</summary>
        <TokenForm />
      </details>
    </div>
  );
}

function TokenForm(): ReactNode {
  const [token, setToken] = useState('');
  const signIn = (): void => {
    saveToken(token.trim());
    void queryClient.resetQueries();
  };
  return (
    <form
      className="token-form"
      onSubmit={(event) => {
        event.preventDefault();
        signIn();
      }}
    >
      {hasToken() && (
        <p className="notice" data-tone="bad" role="alert">
          The server refused this token. It may be mistyped, revoked or expired.
        </p>
      )}
      <p>Every request to this server needs an access token. Create one on the server:</p>
      <code className="code">pinakes tokens create me --role admin</code>
      <label className="field" style={{ width: 'min(28rem, 100%)' }}>
        <span>Access token</span>
        <input
          className="input"
          type="password"
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
      </label>
      <button className="button primary" type="submit" disabled={token.trim() === ''}>
        Sign in
      </button>
    </form>
  );
}

export function ViewError({ error }: { readonly error: unknown }): ReactNode {
  const { connection } = useLive();
  const [wasLost, setWasLost] = useState(false);
  const isServerDown = error instanceof ApiError && error.code === 'unreachable';
  useEffect(() => {
    if (connection === 'lost') setWasLost(true);
    else if (connection === 'live' && wasLost && isServerDown) location.reload();
  }, [connection, wasLost, isServerDown]);
  return (
    <div className="view">
      <ErrorNotice error={error} />
    </div>
  );
}

export function NotFound(): ReactNode {
  return (
    <div className="view">
      <div className="empty">
        <h1>Page not found</h1>
        <p>The link may be outdated or incomplete.</p>
        <Link className="button" to="/">
          Back to sources
        </Link>
      </div>
    </div>
  );
}
