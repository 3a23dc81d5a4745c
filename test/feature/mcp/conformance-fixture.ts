// Our own MCP server with the tools, resources and prompts of the official conformance runner, so that it tests our factory
// and our HTTP server.

import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { createMcpEndpoint, type McpEndpoint } from '../../../src/serve/mcp/mcp-transports.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==';

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const embedded = (uri: string, said: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: said },
});

/** The product's own tools have no library. */
export function createConformanceEndpoint(): McpEndpoint {
  return createMcpEndpoint({
    call: async () => ({ sources: [] }),
    version: '0.0.0',
    // Without tools that it refuses, so that the fixture's own are listed.
    writeTools: true,
    changes: { take: () => 0 },
    onError: () => undefined,
    now: Date.now,
    extend(server) {
      addTools(server);
      addResources(server);
      addPrompts(server);
    },
  });
}

function addTools(server: McpServer): void {
  const tool = (name: string, content: readonly object[], isError = false): void =>
    void server.registerTool(name, { description: name }, () => ({ content: content as never, isError }));
  tool('test_simple_text', [text('This is a simple text response for testing.')]);
  tool('test_image_content', [image]);
  tool('test_audio_content', [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }]);
  tool('test_embedded_resource', [embedded('test://embedded-resource', 'This is an embedded resource content.')]);
  tool('test_multiple_content_types', [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', '{"test":"data","value":123}'),
  ]);
  tool('test_error_handling', [text('This tool intentionally returns an error for testing')], true);
  server.registerTool('test_tool_with_progress', { description: 'Reports progress' }, async ({ mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100])
      if (token !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: token, progress, total: 100 },
        });
    return { content: [text(String(token))] };
  });
}

function addResources(server: McpServer): void {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: PIXEL }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href: uri }, { id }) => ({
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
}

function addPrompts(server: McpServer): void {
  const user = (content: object) => ({ role: 'user' as const, content: content as never });
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  const argsSchema = z.object({ arg1: z.string().describe('First'), arg2: z.string().describe('Second') });
  server.registerPrompt('test_prompt_with_arguments', { description: 'Arguments', argsSchema }, ({ arg1, arg2 }) => ({
    messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  }));
  const withUri = z.object({ resourceUri: z.string().describe('What to embed') });
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embedded', argsSchema: withUri },
    ({ resourceUri }) => ({
      messages: [
        user(embedded(resourceUri, 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Image' }, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }));
}
