// What a person can choose in an assistant to begin with.

import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'add-documentation',
    {
      title: 'Add documentation to the library',
      description: 'Plan and start the crawl of a documentation site',
      argsSchema: z.object({ url: z.string().describe('Where the documentation begins') }),
    },
    ({ url }) => ({
      messages: [
        {
          role: 'user' as const,
          content: {
            type: 'text' as const,
            text: `Add the documentation at ${url} to Pinakes. Where the tools plan_source and add_source are offered: plan first, show what would be taken and refused, then add it, and follow crawl_status until it has ended. Else tell me to run: pinakes add ${url} --wait`,
          },
        },
      ],
    }),
  );
}
