// The actions that are tools over MCP.

import type { Action, McpDoor } from '../../actions/action.ts';
import { actions } from '../../actions/actions.ts';

export interface McpTool {
  readonly action: Action;
  readonly door: McpDoor;
}

/** Tools that change the library are there only where the operator wants them: an agent may be talked into anything. */
export function mcpTools(adminTools: boolean): readonly McpTool[] {
  return actions.flatMap((action) => {
    const door = action.doors.mcp;
    if (door === undefined || (door.tools === 'opt-in' && !adminTools)) return [];
    return [{ action, door }];
  });
}
