// A library on a server, with nothing but `fetch`.

import type { ActionInput, ActionName, ActionOutput } from '../actions/actions.ts';
import { isErrorCode, PinakesError, pinakesError, type ErrorDetails } from '../core/model/errors.ts';
import { requestOf } from './action-requests.ts';
import { followEvents } from './event-stream.ts';
import { createLibrary, type Library } from './library.ts';
import type { CallOptions, Transport } from './transport.ts';

/**
 * @example
 * const options: ConnectOptions = { server: 'http://127.0.0.1:7465' };
 */
export interface ConnectOptions {
  /** Base URL, such as `https://docs.corp.example`. */
  readonly server: string;
  /** An access token of the server, if it requires one. */
  readonly token?: string | undefined;
  /** Instead of the global one. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/**
 * Nothing is sent until the first call. Raises `server.unreachable`, `server.unauthorized`, `server.unsupported` for what
 * needs the files of the caller, and what the same call raises in the process of the server.
 *
 * @example
 * const library = connect({ server: 'https://pinakes.corp.example', token: 'TOKEN' });
 * const { passages } = await library.search('connection pool');
 */
export function connect(options: ConnectOptions): Library {
  return createLibrary(createTransport(options));
}

/** The errors are those of a command; the library makes them those of a program. */
export function createTransport(options: ConnectOptions): Transport {
  const request = createRequest(options);
  const closed = new AbortController();
  /** Until the caller aborts or closes the library. */
  const until = (signal: AbortSignal | undefined): AbortSignal =>
    signal === undefined ? closed.signal : AbortSignal.any([closed.signal, signal]);

  async function call<Name extends ActionName>(
    action: Name,
    input: ActionInput<Name>,
    { signal }: CallOptions = {},
  ): Promise<ActionOutput<Name>> {
    const { url, method, body } = requestOf(action, input);
    const response = await request(url, { method, body }, until(signal));
    return (await response.json()) as ActionOutput<Name>;
  }

  return {
    call,
    file: (action, input, { signal }) => ({
      async *[Symbol.asyncIterator]() {
        const { url, method, body } = requestOf(action, input, 'file');
        const response = await request(url, { method, body }, until(signal));
        yield* readBytes(response);
      },
    }),
    events: (run, { after = null, signal }) => ({
      [Symbol.asyncIterator]: () =>
        followEvents(
          async (seen, ended) => {
            const query = new URLSearchParams();
            if (run !== null) query.set('run', String(run));
            if (seen !== null) query.set('after', String(seen));
            const response = await request(`/events?${query.toString()}`, { method: 'GET', body: null }, ended);
            return response.body ?? new ReadableStream();
          },
          after,
          until(signal),
        ),
    }),
    startWork: () => () => false,
    async close() {
      closed.abort(pinakesError('library.closed', {}));
    },
  };
}

type Request = (
  url: string,
  init: { readonly method: string; readonly body: string | null },
  signal: AbortSignal,
) => Promise<Response>;

/** Returns a successful response. */
function createRequest({
  server,
  token = '',
  fetch: provided = (url, init) => fetch(url, init),
}: ConnectOptions): Request {
  const base = server.replace(/\/+$/, '');
  const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  return async (url, { method, body }, signal) => {
    signal.throwIfAborted();
    const headers = body === null ? authorization : { ...authorization, 'content-type': 'application/json' };
    const response = await provided(base + url, { method, headers, body, signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw pinakesError('server.unreachable', { server: base, reason: reasonOf(error) }, error);
    });
    if (response.status === 401) {
      const reason = token === '' ? 'requires an access token' : 'does not accept the access token';
      throw pinakesError('server.unauthorized', { server: base, reason });
    }
    if (response.ok && accepts(response.headers.get('content-type') ?? '')) return response;
    throw await errorOf(response, base);
  };
}

/** Another program may listen there, and answer with a page. */
function accepts(mediaType: string): boolean {
  return /^(?:application\/(?:json|zip|x-ndjson)|text\/event-stream)\b|^text\/plain; charset=utf-8$/.test(mediaType);
}

/** What the server reports has the same code, words and details as in its own process. */
async function errorOf(response: Response, server: string): Promise<PinakesError> {
  const body = (await response.json().catch(() => null)) as {
    readonly error?: {
      readonly code?: string;
      readonly message?: string;
      readonly nextStep?: string | null;
      readonly details?: ErrorDetails;
    };
  } | null;
  const { code, message, nextStep = null, details = {} } = body?.error ?? {};
  if (message === undefined) {
    const reason = `it responded with status ${response.status}, and not as Pinakes does`;
    return pinakesError('server.unreachable', { server, reason });
  }
  if (isErrorCode(code)) return new PinakesError(code, details, undefined, { message, nextStep });
  const advice = nextStep ?? 'See its log for details';
  return pinakesError('server.rejected', { server, message, advice, agentAdvice: advice });
}

async function* readBytes({ body }: Response): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) return;
      yield part.value;
    }
  } finally {
    reader?.cancel().catch(() => undefined);
  }
}

/** Node hides the reason in the cause; browsers give none. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? 'the connection failed';
}
