// A node of Qdrant that returns with an older copy of its disk.

import { afterAll, describe, expect, test } from 'vitest';
import { returnOlderNode } from '../feature/index/return-older-node.ts';
import { needing } from '../support/needs.ts';
import { startQdrant } from '../support/qdrant-server.ts';
import { writeResult } from '../support/write-result.ts';

const server = startQdrant({ nodes: 3 });
afterAll(() => server?.close());

describe('Qdrant', needing('a Qdrant that the tests start', (server?.control ?? null) !== null), () => {
  test('what a node with older data lacks is found again after a reindex', async () => {
    const result = await returnOlderNode(server!);
    writeResult('qdrant-older-node', { nodes: server!.urls.length, ...result });
    expect(result.after.differences).toBe(0);
    expect(result.after.missingByNode).toEqual(server!.urls.map(() => 0));
  });
});
