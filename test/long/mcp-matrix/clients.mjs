// Both generations of the official client, both protocol eras and both transports against one server. Executed in a folder where
// they are installed.

import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [url, node, main] = process.argv.slice(2);
const stdio = { command: node, args: [main, 'mcp'], env: process.env, stderr: 'ignore' };
const about = { name: 'matrix', version: '1' };
const era = (mode) => ({ versionNegotiation: { mode } });

const rows = {
  'v1 client, 2025 era, HTTP': () => [new OldClient(about), new OldHttp(new URL(url))],
  'v1 client, 2025 era, stdio': () => [new OldClient(about), new OldStdio(stdio)],
  'v2 client, 2025 era, HTTP': () => [
    new Client(about, era('legacy')),
    new StreamableHTTPClientTransport(new URL(url)),
  ],
  'v2 client, 2025 era, stdio': () => [new Client(about, era('legacy')), new StdioClientTransport(stdio)],
  'v2 client, 2026 era, HTTP': () => [
    new Client(about, era({ pin: '2026-07-28' })),
    new StreamableHTTPClientTransport(new URL(url)),
  ],
  'v2 client, 2026 era, stdio': () => [new Client(about, era({ pin: '2026-07-28' })), new StdioClientTransport(stdio)],
};

const results = {};
for (const [name, make] of Object.entries(rows)) {
  const [client, transport] = make();
  try {
    await client.connect(transport);
    const instructions = client.getInstructions();
    const { tools } = await client.listTools();
    const found = await client.callTool({ name: 'search_docs', arguments: { query: 'pool' } });
    const { prompts } = await client.listPrompts();
    const page = await client.readResource({ uri: 'pinakes://page/guide/file:///a.md' });
    const version = client.getNegotiatedProtocolVersion?.() ?? 'unknown';
    results[name] = {
      tools: tools.length,
      passages: found.structuredContent.passages.length,
      prompts: prompts.length,
      text: page.contents[0].text,
      instructions,
      version,
    };
  } catch (error) {
    results[name] = { failed: String(error?.stack ?? error) };
  }
  await client.close().catch(() => undefined);
}
console.log(JSON.stringify(results));
process.exit(0);
