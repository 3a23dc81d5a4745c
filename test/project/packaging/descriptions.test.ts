// Files that describe the program to other tools: the systemd unit, the MCP registry entry, the manifest of the bundle.

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { mcpbManifest } from '../../../scripts/packaging/mcpb-manifest.ts';
import { PROJECT, readProject } from '../../support/project-files.ts';
import { isCommand, configVariables } from '../../support/public-names.ts';
import { needingProgram } from '../../support/needs.ts';

const packageJson = JSON.parse(readProject('package.json')) as Parameters<typeof mcpbManifest>[0];
const unit = readProject('packaging/systemd/pinakes.service');

/** The registry schema of 2025-12-11 for the fields that we use, and no other field. */
const Input = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  isSecret: z.boolean().optional(),
});
const ServerJson = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal('npm'),
        identifier: z.string(),
        version: z.string(),
        runtimeHint: z.string(),
        transport: z.strictObject({ type: z.literal('stdio') }),
        packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
        environmentVariables: z.array(Input),
      }),
    )
    .length(1),
});

test('server.json names this package, this version and variables that exist', () => {
  const server = ServerJson.parse(JSON.parse(readProject('packaging/server.json')));
  const [only] = server.packages;
  expect([server.version, only?.version, only?.identifier]).toEqual([
    packageJson.version,
    packageJson.version,
    packageJson.name,
  ]);
  expect(isCommand(only?.packageArguments.map(({ value }) => value) ?? [])).toBe(true);
  expect(only?.environmentVariables.filter(({ name }) => !configVariables.has(name))).toEqual([]);
});

test('the name in server.json is a placeholder until ownership can be proven', () => {
  const { name } = ServerJson.parse(JSON.parse(readProject('packaging/server.json')));
  expect(name).toBe('example.invalid/pinakes');
});

/** The manifest schema 0.3 for the fields that we use. */
const Option = z.strictObject({
  type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
  title: z.string(),
  description: z.string(),
  required: z.boolean(),
  default: z.string(),
  sensitive: z.boolean().optional(),
});
const BundleManifest = z.strictObject({
  manifest_version: z.literal('0.3'),
  name: z.string(),
  display_name: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string(),
  author: z.strictObject({ name: z.string() }),
  license: z.string(),
  keywords: z.array(z.string()),
  server: z.strictObject({
    type: z.literal('node'),
    entry_point: z.string(),
    mcp_config: z.strictObject({
      command: z.literal('node'),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  }),
  tools: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  compatibility: z.strictObject({ platforms: z.array(z.string()), runtimes: z.strictObject({ node: z.string() }) }),
  user_config: z.record(z.string(), Option),
});

test('the manifest of the bundle names existing tools, settings and options', () => {
  const manifest = BundleManifest.parse(mcpbManifest(packageJson));
  const { args, env } = manifest.server.mcp_config;
  expect(manifest.tools).toHaveLength(5);
  expect(isCommand(args.slice(1))).toBe(true);
  expect(args[0]).toBe(`\${__dirname}/${manifest.server.entry_point}`);
  expect(Object.keys(env).filter((name) => !configVariables.has(name))).toEqual([]);
  const used = Object.values(env).map((value) => /^\$\{user_config\.(\w+)\}$/.exec(value)?.[1]);
  expect(used).toEqual(Object.keys(manifest.user_config));
});

test('the unit starts an existing command, gives it time to drain and restricts its privileges', () => {
  const lines = new Map(
    [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const),
  );
  expect(lines.get('ExecStart')).toBe('/usr/bin/env pinakes serve');
  expect(Number.parseInt(lines.get('TimeoutStopSec') ?? '', 10)).toBeGreaterThan(25);
  const provided = [...(lines.get('Environment') ?? '').matchAll(/(PINAKES_\w+)=/g)].map(([, name = '']) => name);
  expect(provided.filter((name) => !configVariables.has(name))).toEqual([]);
  for (const name of ['DynamicUser', 'NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'PrivateDevices'])
    expect(lines.get(name), name).toBe('yes');
  expect(lines.get('ProtectSystem')).toBe('strict');
  expect(lines.get('LimitCORE')).toBe('0');
  expect(lines.get('CapabilityBoundingSet')).toBe('');
});

test('systemd accepts the unit', needingProgram('systemd-analyze', 'systemd'), () => {
  const { stderr, status } = spawnSync('systemd-analyze', ['verify', 'packaging/systemd/pinakes.service'], {
    cwd: PROJECT,
    encoding: 'utf8',
  });
  expect(stderr.split('\n').filter((line) => line.includes('pinakes.service'))).toEqual([]);
  expect(status).toBe(0);
});
