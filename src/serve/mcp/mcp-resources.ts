// Pages of the library as resources of MCP.

import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import type { CallAction } from '../call-action.ts';

const PAGE_URI = 'pinakes://page/{source}/{+url}';

/** As much of a page as one answer may hold. */
const WHOLE = 8000;

export function addResources(server: McpServer, call: CallAction): void {
  server.registerResource(
    'page',
    new ResourceTemplate(PAGE_URI, { list: undefined }),
    { title: 'A page of indexed documentation', mimeType: 'text/markdown' },
    async (uri, { source, url }) => {
      const page = (await call('read_docs', { source: String(source), target: String(url), budget: WHOLE })) as {
        text: string;
      };
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: page.text }] };
    },
  );
}
