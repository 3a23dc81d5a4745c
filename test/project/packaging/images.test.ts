// The images and the compose file match the code and grant no more privileges than needed. They cannot be built everywhere,
// so they are parsed here; entry-command.test.ts runs what they run.

import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readProject } from '../../support/project-files.ts';
import { isCommand, configVariables } from '../../support/public-names.ts';
import { readDockerfile } from './read-dockerfile.ts';

const dockerfile = readDockerfile(readProject('packaging/Dockerfile'));

test('both images run as an unprivileged user, by number', () => {
  for (const name of ['slim', 'browser']) {
    const users = dockerfile.stages.find((stage) => stage.name === name)?.steps.filter(({ word }) => word === 'USER');
    expect(users?.at(-1)?.rest, name).toBe('10001:10001');
  }
  expect(dockerfile.stages.at(-1)?.name).toBe('slim');
});

test('the base image has an exact version and can be pinned by digest', () => {
  expect(dockerfile.arguments).toEqual({ NODE_IMAGE: 'node:24.21.0-bookworm-slim' });
  expect(dockerfile.stages.map(({ from }) => from)).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}', 'base', 'base']);
});

test('only packages are downloaded, by their hashes, and no install script runs (finding N22)', () => {
  const steps = dockerfile.stages.flatMap((stage) => stage.steps);
  expect(steps.filter(({ word }) => word === 'ADD')).toEqual([]);
  expect(steps.filter(({ rest }) => /\b(curl|wget)\b/.test(rest))).toEqual([]);
  expect(steps.filter(({ rest }) => /npm (install|i|add)\b/.test(rest))).toEqual([]);
  const installs = steps.filter(({ rest }) => rest.includes('npm ci'));
  expect(installs.map(({ rest }) => rest.includes('--ignore-scripts'))).toEqual([true]);
});

test('the entry point is the program, which receives signals; its variables are settings', () => {
  const steps = dockerfile.stages.find(({ name }) => name === 'base')?.steps ?? [];
  const only = (wanted: string): string => steps.find(({ word }) => word === wanted)?.rest ?? '';
  expect(JSON.parse(only('ENTRYPOINT'))).toEqual(['pinakes']);
  expect(isCommand(JSON.parse(only('CMD')) as string[])).toBe(true);
  const names = [...only('ENV').matchAll(/(\w+)=/g)].map(([, name = '']) => name);
  expect(names.filter((name) => name.startsWith('PINAKES_') && !configVariables.has(name))).toEqual([]);
  expect(names).toContain('PINAKES_DATA_DIR');
});

test('the image with a browser has Chromium, and the locked package by its hash', () => {
  const steps = dockerfile.stages.find(({ name }) => name === 'browser')?.steps ?? [];
  const text = steps.map(({ rest }) => rest).join('\n');
  const lock = JSON.parse(readProject('package-lock.json')) as {
    packages: Record<string, { version: string; integrity: string }>;
  };
  const { version, integrity } = lock.packages['node_modules/playwright-core'] ?? { version: '', integrity: '' };
  const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  expect(text).toContain('apt-get install --yes --no-install-recommends chromium');
  expect(text).toContain(`npm pack playwright-core@${version} `);
  expect(text).toContain(`${hash}  playwright-core-${version}.tgz`);
  expect(steps).toContainEqual({ word: 'ENV', rest: 'PINAKES_RENDER_BROWSER=chromium' });
  expect(configVariables).toContain('PINAKES_RENDER_BROWSER');
});

test('only the packed package is in the build context', () => {
  expect(readProject('.dockerignore').trim().split('\n')).toEqual(['*', '!pinakes-*.tgz']);
});

interface Service {
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly mem_limit?: string;
  readonly healthcheck?: object;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly ports?: readonly string[];
}

const { services } = parse(readProject('packaging/compose.yaml'), { merge: true }) as {
  services: Readonly<Record<string, Service>>;
};

test('the compose file has no password of its own, and limits memory (finding N25)', () => {
  expect(services['server']?.environment['PINAKES_DATABASE_URL']).toContain('${PINAKES_DB_PASSWORD:?');
  expect(services['worker']?.environment['PINAKES_DATABASE_URL']).toContain('${PINAKES_DB_PASSWORD:?');
  expect(services['database']?.environment['POSTGRES_PASSWORD']).toMatch(/^\$\{PINAKES_DB_PASSWORD:\?/);
  expect([services['server']?.mem_limit, services['worker']?.mem_limit]).toEqual(['1g', '2g']);
  expect(services['worker']?.healthcheck).toMatchObject({ test: ['CMD-SHELL', expect.stringContaining('heartbeat')] });
});

test('the compose file starts existing commands, unprivileged, with time to drain', () => {
  expect(Object.keys(services)).toEqual(['server', 'worker', 'database', 'index']);
  for (const name of ['server', 'worker']) {
    const service = services[name];
    expect(isCommand(service?.command ?? []), name).toBe(true);
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], stop_grace_period: '30s' });
    expect(Object.keys(service?.environment ?? {}).filter((variable) => !configVariables.has(variable))).toEqual([]);
  }
  expect(services['server']?.ports).toEqual(['127.0.0.1:7465:7465']);
  expect(services['database']?.image).toMatch(/^pgvector\/pgvector:\d+\.\d+\.\d+-pg\d+$/);
  expect(services['database']?.ports).toBeUndefined();
});

test('the compose file starts a Qdrant only on request, unprivileged and without a port', () => {
  const { index, server } = services;
  expect(index).toMatchObject({ profiles: ['qdrant'], read_only: true, cap_drop: ['ALL'], mem_limit: '4g' });
  expect(index?.image).toMatch(/^qdrant\/qdrant:v1\.16\.\d+-unprivileged$/);
  expect(index?.ports).toBeUndefined();
  // Taken from the shell, and absent where it has none: Qdrant refuses everybody if its key is empty.
  for (const environment of [server?.environment, services['worker']?.environment])
    expect(environment).toMatchObject({ PINAKES_QDRANT_URLS: null, PINAKES_QDRANT_API_KEY: null });
  expect(index?.environment['QDRANT__SERVICE__API_KEY']).toBeNull();
});
