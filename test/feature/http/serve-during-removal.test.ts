// A server keeps responding while it removes a large source.

import { expect, test } from 'vitest';
import { addFiles, startTestServer } from '../../support/test-server.ts';

const PAGES = 1500;

test('other requests are served while a source is removed', { timeout: 120_000 }, async () => {
  const files = Object.fromEntries(
    Array.from({ length: PAGES }, (_, i) => [
      `page-${i}.md`,
      `# Page ${i}\n\n## One\n\nWords of ${i}.\n\n## Two\n\nMore.\n`,
    ]),
  );
  const server = await startTestServer({}, (library) => addFiles(library, 'large', files));
  try {
    const removal = { isDone: false };
    const removed = fetch(`${server.url}/api/sources/large`, { method: 'DELETE' }).then((answer) => {
      removal.isDone = true;
      return answer.status;
    });
    let answered = 0;
    while (!removal.isDone) {
      const answer = await fetch(`${server.url}/healthz`);
      await answer.text();
      if (!removal.isDone) answered += 1;
    }
    expect(await removed).toBe(200);
    expect(answered).toBeGreaterThan(4);
  } finally {
    await server.stop();
  }
});
