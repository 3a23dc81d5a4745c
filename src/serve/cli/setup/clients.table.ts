// Where each assistant keeps its list of MCP servers, and in which format.

import { join } from 'node:path';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Client {
  readonly title: string;
  readonly file: (machine: Machine) => string;
  readonly format: 'json' | 'toml';
  /** The key that contains the servers. */
  readonly key: string;
  /** Fields of an entry in addition to its command. */
  readonly extraFields?: Readonly<Record<string, unknown>>;
  /** Fields that make it load all tools at the start; absent if it always does. */
  readonly alwaysLoadFields?: Readonly<Record<string, unknown>>;
  readonly hint: string;
}

/** The settings folder of the system: `~/.config`, `~/Library/Application Support` or `%APPDATA%`. */
function settingsDirectory({ platform, home, env }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  return env['XDG_CONFIG_HOME'] ?? join(home, '.config');
}

const SERVERS = 'mcpServers';
const RESTART = 'Restart it to see the tools';

export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-code': {
    title: 'Claude Code',
    file: ({ home }) => join(home, '.claude.json'),
    format: 'json',
    key: SERVERS,
    extraFields: { type: 'stdio' },
    alwaysLoadFields: { alwaysLoad: true },
    hint: 'In Claude Code, /mcp shows the server',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    file: (machine) => join(settingsDirectory(machine), 'Claude', 'claude_desktop_config.json'),
    format: 'json',
    key: SERVERS,
    hint: RESTART,
  },
  codex: {
    title: 'Codex',
    file: ({ home, env }) => join(env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml'),
    format: 'toml',
    key: 'mcp_servers',
    hint: RESTART,
  },
  cursor: {
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    format: 'json',
    key: SERVERS,
    hint: 'Settings, MCP shows the server',
  },
  gemini: {
    title: 'Gemini CLI',
    file: ({ home }) => join(home, '.gemini', 'settings.json'),
    format: 'json',
    key: SERVERS,
    hint: 'In Gemini, /mcp shows the server',
  },
  vscode: {
    title: 'VS Code',
    file: (machine) => join(settingsDirectory(machine), 'Code', 'User', 'mcp.json'),
    format: 'json',
    key: 'servers',
    extraFields: { type: 'stdio' },
    hint: 'The command MCP: List Servers shows it',
  },
  windsurf: {
    title: 'Windsurf',
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    format: 'json',
    key: SERVERS,
    hint: RESTART,
  },
  zed: {
    title: 'Zed',
    file: (machine) =>
      machine.platform === 'darwin'
        ? join(machine.home, '.config', 'zed', 'settings.json')
        : join(settingsDirectory(machine), machine.platform === 'win32' ? 'Zed' : 'zed', 'settings.json'),
    format: 'json',
    key: 'context_servers',
    hint: 'The agent panel shows the server',
  },
};
