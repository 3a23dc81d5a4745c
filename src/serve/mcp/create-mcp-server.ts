// The public API of `pinakes/mcp`: the MCP server of a library, to mount in another program.

import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { ActionInput, ActionName } from '../../actions/actions.ts';
import type { Library } from '../../client/library.ts';
import { now } from '../../platform/clock.ts';
import { PROGRAM_VERSION } from '../../platform/program-version.ts';
import { createRateLimit } from '../rate-limit.ts';
import { createMcpServerFactory } from './mcp-server.ts';

export interface McpOptions {
  /** Offers tools that change the library; false by default. */
  readonly writeTools?: boolean | undefined;
  /** Changes of the library that one client may make in an hour. */
  readonly writesPerHour?: number | undefined;
  /** Receives errors that are none of the caller's. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const CHANGES_PER_HOUR = 60;

/**
 * Creates a server for each client, as `createMcpHandler` and `serveStdio` of `@modelcontextprotocol/server` expect it. No
 * client reaches the files of this machine. A client with `authInfo` may change the library only with the scope `admin`.
 */
export function createMcpServer(library: Library, options: McpOptions = {}): McpServerFactory {
  const { writeTools = false, writesPerHour = CHANGES_PER_HOUR, onError = () => undefined } = options;
  return createMcpServerFactory({
    // A tool is an action, and its input has been checked by the schema of that action.
    call: (action, input, { signal, onProgress } = {}) =>
      library.call(action as ActionName, input as ActionInput<ActionName>, { signal, onProgress, localFiles: false }),
    version: PROGRAM_VERSION,
    writeTools,
    changes: createRateLimit(writesPerHour / 60, now),
    onError,
    now,
  });
}
