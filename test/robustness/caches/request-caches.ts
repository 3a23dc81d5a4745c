// Caches of a server: users are tokens, rights, questions and hosts that are asked for.

import type { CacheCase } from './cache-case.ts';
import { countObjects, createLoadCounter, fake } from './cache-case.ts';
import { createTokenBuckets } from '../../../src/core/rate/token-buckets.ts';
import type { SourceRights } from '../../../src/core/model/source-rights.ts';
import { createBoundedLookup } from '../../../src/fetch/http/bounded-lookup.ts';
import { createProxiedDispatch, type ProxiedDispatchOptions } from '../../../src/fetch/http/proxied-dispatch.ts';
import { createBreakers } from '../../../src/library/load/load-batch.ts';
import { ANONYMOUS, type StoredToken, type TokenLookup } from '../../../src/platform/access-token.ts';
import { openGate } from '../../../src/render/browser-pool.ts';
import type { LaunchedBrowser } from '../../../src/render/launch-browser.ts';
import { encodePending } from '../../../src/serve/http/issuer/cookies.ts';
import { createKnownIssued } from '../../../src/serve/http/issuer/known-issued.ts';
import { createSignIn, type SignInDeps } from '../../../src/serve/http/issuer/sign-in.ts';
import { createTokenCache } from '../../../src/serve/http/token-cache.ts';
import { createListedSourcesByRights, type McpDeps } from '../../../src/serve/mcp/mcp-server.ts';
import { createUsedSources } from '../../../src/serve/mcp/recent-sources.ts';
import { createVisibleSources } from '../../../src/store/restricted/visible-sources.ts';

const HOUR_MS = 3_600_000;

function tokenOf(user: number | string): StoredToken {
  const name = String(user);
  return { name, role: 'read', hash: name, sources: null, requestsPerMinute: null, previous: null, lastUsedAt: null };
}

export const REQUEST_CACHES: readonly CacheCase[] = [
  {
    file: 'serve/http/token-cache.ts',
    users: 'tokens',
    size: 10_000,
    open() {
      const counter = createLoadCounter();
      const lookup = fake<TokenLookup>({
        async byHashes(hashes: readonly string[]) {
          hashes.forEach(counter.note);
          return hashes.map(tokenOf);
        },
      });
      const cache = createTokenCache(lookup, () => 0);
      return {
        use: async (user) => (await cache.byHash(String(user)))?.name,
        answer: String,
        loads: counter.of,
      };
    },
  },
  {
    file: 'serve/http/token-cache.ts',
    users: 'tokens whose use is noted',
    size: 10_000,
    open() {
      const counter = createLoadCounter();
      const lookup = fake<TokenLookup>({ touch: async (name: string) => counter.note(name) });
      const cache = createTokenCache(lookup, () => 2 * HOUR_MS);
      return {
        use(user) {
          cache.noteUse(tokenOf(user));
          return user;
        },
        answer: (user) => user,
        loads: counter.of,
      };
    },
  },
  {
    file: 'serve/http/issuer/known-issued.ts',
    users: 'tokens of the issuer',
    size: 10_000,
    open() {
      const counter = createLoadCounter();
      const find = createKnownIssued(
        async (token) => {
          counter.note(token);
          return { ...ANONYMOUS, token };
        },
        () => 0,
      );
      // Each from its own address, whose limit is another matter.
      return {
        use: async (user) => (await find(String(user), String(user)))?.token,
        answer: String,
        loads: counter.of,
      };
    },
  },
  {
    file: 'serve/http/issuer/sign-in.ts',
    users: 'sign-ins that have ended',
    size: 10_000,
    open() {
      const counter = createLoadCounter();
      const signIn = createSignIn(
        fake<SignInDeps>({
          client: { issuer: 'https://id.example', clientId: 'x', redirectUrl: 'https://docs.example/sign-in/callback' },
          code: {
            async exchange(_: unknown, { state }: { readonly state: string }) {
              counter.note(state);
              throw new Error(state);
            },
          },
          now: () => 0,
        }),
      );
      const pendingOf = (state: string): string =>
        encodePending({ state, nonce: 'n', verifier: 'v', to: '/', until: 1 });
      return {
        use: async (user) => {
          await signIn.end(new URLSearchParams(), pendingOf(String(user))).catch(() => undefined);
          return user;
        },
        answer: (user) => user,
        loads: counter.of,
      };
    },
  },
  {
    file: 'core/rate/token-buckets.ts',
    users: 'principals of which each has one request',
    size: 10_000,
    open() {
      const counter = createLoadCounter();
      const buckets = createTokenBuckets({ burst: 1, intervalMs: HOUR_MS, now: () => 0 });
      return {
        use(user) {
          if (buckets.take(String(user)) === 0) counter.note(user);
          return user;
        },
        answer: (user) => user,
        loads: counter.of,
      };
    },
  },
  {
    file: 'serve/mcp/mcp-server.ts',
    users: 'rights to sources',
    size: 100,
    open() {
      const counter = createLoadCounter();
      const deps = fake<McpDeps>({
        now: () => 0,
        onError: () => undefined,
        async call(_name: string, _input: object, { sources }: { readonly sources: SourceRights }) {
          counter.note(sources?.[0] ?? '');
          return { sources: sources ?? [] };
        },
      });
      const listed = createListedSourcesByRights(deps);
      return {
        use: async (user) => (await listed([String(user)])())?.map(String),
        answer: (user) => [String(user)],
        loads: counter.of,
      };
    },
  },
  {
    file: 'serve/mcp/recent-sources.ts',
    users: 'answers that are continued',
    size: 100,
    open() {
      const used = createUsedSources();
      const first = new Map<number, unknown>();
      let noted = 0;
      return {
        use(user) {
          const offset = first.has(user) ? 10 : 0;
          const { prefer } = used.inputFor('search_docs', { query: String(user), offset });
          if (offset === 0) first.set(user, prefer);
          used.note('read_docs', { source: `source-${(noted += 1)}` }, {});
          return prefer;
        },
        answer: (user) => first.get(user),
        loads: () => 1,
      };
    },
  },
  {
    file: 'store/restricted/visible-sources.ts',
    users: 'rights to sources',
    size: 200,
    open() {
      const all = [1, 2].map((id) => ({ id, name: String(id), versions: [] }));
      const store = { sources: { list: async () => all }, runs: {} };
      const lists = new Map<number, unknown>();
      const counter = createLoadCounter();
      return {
        async use(user) {
          const visible = createVisibleSources(fake(store), [String(user)]);
          const list = await visible.list();
          if (lists.get(user) !== list) counter.note(user);
          lists.set(user, list);
          return list.map(({ name }) => name);
        },
        answer: (user) => (user === 1 || user === 2 ? [String(user)] : []),
        loads: counter.of,
      };
    },
  },
  {
    file: 'library/load/load-batch.ts',
    users: 'servers',
    size: 10_000,
    open() {
      const breakers = createBreakers(() => 0);
      return countObjects((user) => breakers(String(user)));
    },
  },
  {
    file: 'fetch/http/bounded-lookup.ts',
    users: 'names',
    size: 10_000,
    open() {
      const counter = createLoadCounter();
      const resolve = createBoundedLookup({
        async getAddrInfo(name) {
          counter.note(name);
          return [`address of ${name}`];
        },
        query: async () => [],
        nowMs: () => 0,
      });
      return {
        use: (user) => resolve(String(user)),
        answer: (user) => [`address of ${user}`],
        loads: counter.of,
      };
    },
  },
  {
    file: 'fetch/http/proxied-dispatch.ts',
    users: 'origins',
    size: 1000,
    open() {
      const counter = createLoadCounter();
      const guard = {
        async admitByProxy(host: string) {
          counter.note(host.replace('.example', ''));
          throw new Error(host);
        },
      };
      const options = fake<ProxiedDispatchOptions>({ guard, connectTimeoutMs: 1000, proxyTarget: 'name' });
      const uri = 'http://127.0.0.1:1';
      const proxied = createProxiedDispatch({ proxies: [uri], proxyFor: () => uri }, options);
      const dispatch = proxied.intercept(() => true);
      return {
        use: (user) =>
          new Promise((resolve) => {
            const onResponseError = (_: unknown, error: Error): void => resolve(error.message);
            dispatch({ origin: `http://${user}.example`, path: '/', method: 'GET' }, { onResponseError });
          }),
        answer: (user) => `${user}.example`,
        loads: counter.of,
        close: () => proxied.destroy(),
      };
    },
  },
  {
    file: 'render/browser-pool.ts',
    users: 'requests of a browser',
    size: 10_000,
    async open() {
      const counter = createLoadCounter();
      let onPaused: (event: { readonly requestId: string; readonly networkId: string }) => void = () => undefined;
      const cdp = {
        on: (_: string, listener: typeof onPaused) => void (onPaused = listener),
        async send(method: string, { requestId = '' } = {}) {
          if (method === 'Fetch.failRequest') counter.note(requestId);
        },
      };
      const browser = { newBrowserCDPSession: async () => cdp };
      const gate = await openGate(fake<LaunchedBrowser>({ browser, kill: async () => undefined }));
      const admitted = new Set<number>();
      return {
        use(user) {
          if (!admitted.has(user)) {
            counter.note(user);
            gate.admit(String(user));
          }
          admitted.add(user);
          onPaused({ requestId: String(user), networkId: String(user) });
          return user;
        },
        answer: (user) => user,
        loads: counter.of,
      };
    },
  },
];
