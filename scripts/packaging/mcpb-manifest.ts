// The manifest of an MCPB bundle, with the declared tools.

import { MCP_TOOLS } from '../../src/serve/mcp/mcp-tools.ts';

interface PackageInfo {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: { readonly node: string };
}

const ENTRY = 'node_modules/pinakes/dist/program/main.js';

/** A setting that is left empty counts as not set. */
export function mcpbManifest({ name, version, description, license, engines }: PackageInfo) {
  return {
    manifest_version: '0.3',
    name,
    display_name: 'Pinakes',
    version,
    description,
    author: { name: 'The Pinakes project' },
    license,
    keywords: ['documentation', 'search', 'crawler'],
    server: {
      type: 'node',
      entry_point: ENTRY,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${ENTRY}`, 'mcp'],
        env: {
          PINAKES_DATA_DIR: '${user_config.data_dir}',
          PINAKES_SERVER: '${user_config.server}',
          PINAKES_TOKEN: '${user_config.token}',
        },
      },
    },
    tools: MCP_TOOLS.filter(({ binding }) => binding.tools === 'default').map(({ action }) => {
      return { name: action.name, description: action.summary };
    }),
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: engines.node } },
    user_config: {
      data_dir: {
        type: 'directory',
        title: 'Library folder',
        description: 'Where the library is stored; by default the data folder of the system',
        required: false,
        default: '',
      },
      server: {
        type: 'string',
        title: 'Server',
        description: 'A Pinakes server to use instead of a library on this machine',
        required: false,
        default: '',
      },
      token: {
        type: 'string',
        title: 'Token',
        description: 'Access token for that server',
        sensitive: true,
        required: false,
        default: '',
      },
    },
  };
}
