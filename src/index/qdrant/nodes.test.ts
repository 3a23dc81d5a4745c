// Requests to nodes that hang, fail, refuse or do not know: which node answers, and how long it takes.

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { openNodes, type Nodes } from './nodes.ts';

type Behaviour = 'answers' | 'hangs' | 'hangs on queries' | 'is busy' | 'fails' | 'does not know' | 'refuses';

interface TestNode {
  readonly url: string;
  behaviour: Behaviour;
  /** Paths that it was asked for, without checks. */
  readonly requested: string[];
  readonly server: Server;
}

const opened: TestNode[] = [];

afterEach(() => {
  for (const { server } of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const CHECKS = ['/readyz', '/livez'];
/** Of the first request and of all later ones. */
const BUSY_MS = [100, 400];

async function openTestNode(behaviour: Behaviour): Promise<TestNode> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const isCheck = CHECKS.includes(path);
    if (!isCheck) node.requested.push(path);
    respond(response, isCheck && node.behaviour !== 'hangs' ? 'answers' : node.behaviour, node);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const node: TestNode = { url: `http://127.0.0.1:${port}`, behaviour, requested: [], server };
  opened.push(node);
  return node;
}

function respond(response: ServerResponse, behaviour: Behaviour, { url, requested: { length: nth } }: TestNode): void {
  const send = (status: number, body: object): void => void response.writeHead(status).end(JSON.stringify(body));
  switch (behaviour) {
    case 'answers':
      return send(200, { result: url });
    case 'is busy':
      return void setTimeout(send, BUSY_MS[Math.min(nth, BUSY_MS.length) - 1], 200, { result: url });
    case 'fails':
      return send(500, { status: { error: 'no active replica' } });
    case 'does not know':
      return send(404, { status: { error: 'no such collection' } });
    case 'refuses':
      return send(400, { status: { error: 'wrong format' } });
    case 'hangs':
    case 'hangs on queries':
  }
}

async function openTestNodes(...behaviours: Behaviour[]): Promise<{ nodes: Nodes; all: readonly TestNode[] }> {
  const all: TestNode[] = [];
  for (const behaviour of behaviours) all.push(await openTestNode(behaviour));
  return { nodes: openNodes({ urls: all.map(({ url }) => url), apiKey: undefined }), all };
}

const QUERY = { method: 'POST', path: '/query', body: {} } as const;
const WRITE = { method: 'PUT', path: '/points', body: {} } as const;
const LIMIT = { timeoutMs: 5000 } as const;
/** Well below the limit, and above what a machine that is busy with other tests needs. */
const SOON_MS = 3000;

async function timed<T>(work: Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const begun = performance.now();
  const result = await work;
  return { result, ms: performance.now() - begun };
}

describe('reads', () => {
  test.each(['hangs', 'hangs on queries', 'fails', 'does not know'] as const)(
    'a node that %s does not keep a question waiting, and later ones not at all',
    async (behaviour) => {
      const { nodes, all } = await openTestNodes('answers', behaviour, 'answers');
      for (let nth = 0; nth < 3; nth += 1) {
        const { result, ms } = await timed(nodes.read(QUERY, LIMIT));
        expect(result).not.toBe(all[1]!.url);
        expect(ms).toBeLessThan(SOON_MS);
      }
      if (behaviour === 'does not know') return;
      const requested = all[1]!.requested.length;
      expect(requested).toBe(1);
      for (let nth = 0; nth < 6; nth += 1) await nodes.read(QUERY, LIMIT);
      expect(all[1]!.requested.length).toBe(requested);
    },
  );

  test('a node that works again is asked again, after a trial that no question waits for', async () => {
    const { nodes, all } = await openTestNodes('answers', 'hangs on queries');
    for (let nth = 0; nth < 2; nth += 1) await nodes.read(QUERY, LIMIT);
    await wait(600);
    await nodes.read(QUERY, LIMIT);
    await expect.poll(() => all[1]!.requested.length).toBe(2);
    all[1]!.behaviour = 'answers';
    const answers = async (): Promise<readonly unknown[]> => [
      await nodes.read(QUERY, LIMIT),
      await nodes.read(QUERY, LIMIT),
    ];
    await expect.poll(answers, { timeout: 8000, interval: 200 }).toContain(all[1]!.url);
  });

  test('a node that answers others meanwhile is given more time', async () => {
    const { nodes, all } = await openTestNodes('answers', 'is busy');
    const first = nodes.read(QUERY, LIMIT);
    await nodes.read(QUERY, LIMIT);
    await wait(BUSY_MS[0]! / 2);
    const third = nodes.read(QUERY, LIMIT);
    expect([await first, await third]).toEqual([all[1]!.url, all[1]!.url]);
    expect(all[0]!.requested).toHaveLength(1);
  });

  test('a refusal is an answer, and an unknown collection is one only if no node knows it', async () => {
    const refusing = await openTestNodes('refuses', 'refuses');
    await expect(refusing.nodes.read(QUERY, LIMIT)).rejects.toMatchObject({ code: 'index.rejected' });
    const unknown = await openTestNodes('does not know', 'does not know');
    const { result, ms } = await timed(unknown.nodes.read(QUERY, LIMIT).catch((error: unknown) => error));
    expect(result).toMatchObject({ code: 'index.unavailable' });
    expect(ms).toBeLessThan(SOON_MS);
  });

  test('while all hang or fail, a question ends with its time or its signal', async () => {
    const { nodes } = await openTestNodes('hangs', 'fails');
    const { result, ms } = await timed(nodes.read(QUERY, { timeoutMs: 700 }).catch((error: unknown) => error));
    expect(result).toMatchObject({ code: 'index.unavailable', httpStatus: 503 });
    expect(ms).toBeLessThan(SOON_MS);
    const signal = AbortSignal.timeout(100);
    const aborted = await timed(nodes.read(QUERY, { ...LIMIT, signal }).catch((error: unknown) => error));
    expect(aborted.result).toBe(signal.reason);
    expect(aborted.ms).toBeLessThan(SOON_MS);
  });
});

describe('writes', () => {
  test('go to one node at a time, and to another if it hangs or fails', async () => {
    const { nodes, all } = await openTestNodes('answers', 'answers');
    for (let nth = 0; nth < 3; nth += 1) expect(await nodes.write(WRITE, LIMIT)).toBe(all[0]!.url);
    all[0]!.behaviour = 'fails';
    expect(await nodes.write(WRITE, LIMIT)).toBe(all[1]!.url);
    const hanging = await openTestNodes('hangs', 'answers');
    const { result, ms } = await timed(hanging.nodes.write(WRITE, LIMIT));
    expect(result).toBe(hanging.all[1]!.url);
    expect(ms).toBeLessThan(4000);
    await hanging.nodes.write(WRITE, LIMIT);
    expect(hanging.all[0]!.requested).toHaveLength(1);
  });

  test('a node that responds is given its time', async () => {
    const { nodes, all } = await openTestNodes('hangs on queries', 'answers');
    await expect(nodes.write(WRITE, { timeoutMs: 2500 })).rejects.toMatchObject({ code: 'index.unavailable' });
    expect(all[1]!.requested).toEqual([]);
  });
});
