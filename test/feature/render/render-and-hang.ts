// Renders one page and writes the port of the browser's proxy; killed by the test while it does.

import { createTestRenderer } from './test-renderer.ts';

const renderer = createTestRenderer();
const rendering = renderer.render({ url: process.argv[2] as never, source: 'x' });
while (renderer.proxies.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
process.stdout.write(`${renderer.proxies[0]?.port}\n`);
await rendering;
