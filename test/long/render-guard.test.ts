// The long form of test/feature/render/guard.test.ts: every URL, name and redirect of the list, in every way that a page has to
// request it. It runs in a network namespace in which every address is this machine, so that listeners on real sockets
// record whatever is reached; where no namespace can be created, the addresses are recorded at the proxy.

import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import {
  attackFromPage,
  MECHANISMS,
  type AttackOptions,
  type AttackResult,
} from '../feature/render/attack-from-page.ts';
import { openSeamNetwork } from '../feature/render/attack-network.ts';
import { writeResult } from '../support/write-result.ts';
import { needing } from '../support/needs.ts';

const hasNamespaces = spawnSync('unshare', ['-rn', 'ip', 'link']).status === 0;
const results: Record<string, AttackResult> = {};

type Attack = Omit<AttackOptions, 'network'>;

async function attack(options: Attack): Promise<Readonly<Record<string, AttackResult>>> {
  if (!hasNamespaces) return attackAtSeam(options);
  const script = join(import.meta.dirname, '../feature/render/attack-in-namespace.ts');
  const command = [process.execPath, script, JSON.stringify(options)];
  const { stdout } = await promisify(execFile)('unshare', ['-rn', ...command]);
  return JSON.parse(stdout) as Record<string, AttackResult>;
}

async function attackAtSeam(options: Attack): Promise<Readonly<Record<string, AttackResult>>> {
  const network = await openSeamNetwork();
  try {
    return await attackFromPage({ ...options, network });
  } finally {
    await network.close();
  }
}

describe('no page reaches a blocked address', () => {
  test.each(Object.keys(MECHANISMS))('by %s', async (mechanism) => {
    const { [mechanism]: result } = await attack({ mechanisms: [mechanism] });
    if (result === undefined) throw new Error('no result');
    results[mechanism] = result;
    expect(result).toMatchObject({ reached: [], packets: 0 });
    // Windows are not opened, whatever they lead to.
    if (mechanism !== 'window') expect(result.missing).toEqual([]);
  });

  test('behind a proxy of the operator, which resolves the names', async () => {
    const targets: string[] = [];
    const operator = createServer().on('connect', (request, socket) => {
      targets.push(request.url ?? '');
      socket.end('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n');
    });
    await new Promise<void>((resolve) => operator.listen(0, '127.0.0.1', resolve));
    const urls = [
      'https://docs.example.com/',
      'https://wiki.internal/',
      'https://intranet/',
      'https://metadata.google.internal/',
      'https://10.0.0.5/',
    ];
    const cases = urls.map((url) => ({ id: url, url, arrivesAt: null }));
    const operatorProxy = `http://127.0.0.1:${(operator.address() as AddressInfo).port}`;
    await attackAtSeam({ mechanisms: ['fetch', 'websocket', 'iframe'], cases, operatorProxy });
    expect([...new Set(targets)]).toEqual(['docs.example.com:443']);
    operator.close();
  });
});

describe('the listeners hear', () => {
  test('what a guard that is too generous lets through', async () => {
    const { fetch } = await attack({ mechanisms: ['fetch'], allowCidrs: ['0.0.0.0/0', '::/0'] });
    expect(fetch?.reached.length).toBeGreaterThan(30);
  });

  test('a connection past the proxy', needing('network namespaces', hasNamespaces), async () => {
    const { fetch } = await attack({ mechanisms: ['fetch'], withoutFlag: '--proxy-bypass-list' });
    expect(fetch?.reached).toContain('127.0.0.1');
  });
});

afterAll(() => {
  if (Object.keys(results).length === Object.keys(MECHANISMS).length)
    writeResult('render-guard', { hasNamespaces, mechanisms: results });
});
