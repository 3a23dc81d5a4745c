// The chart, rendered with its default values and with every option enabled, is valid for Kubernetes and unprivileged.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { manifest, PROJECT, readProject } from '../../support/project-files.ts';
import { isCommand, configVariables } from '../../support/public-names.ts';
import { createChartRenderer } from './render-chart.ts';

const chart = 'packaging/helm/pinakes';
const usual = parse(readProject(`${chart}/values.yaml`)) as Readonly<Record<string, unknown>>;
const chartFile = parse(readProject(`${chart}/Chart.yaml`)) as Readonly<Record<string, string>>;

const everything = {
  ...usual,
  hosts: ['docs.corp.example'],
  settings: { PINAKES_LOG_LEVEL: 'debug' },
  secretNames: ['docs-tokens'],
  qdrant: { ...(usual['qdrant'] as object), enabled: true, apiKeySecretName: 'index-key', storageClassName: 'ssd' },
  ingress: { enabled: true, className: 'nginx', host: 'docs.corp.example', tlsSecretName: 'docs-tls' },
};

interface Container {
  readonly args: readonly string[];
  readonly env: ReadonlyArray<{ readonly name: string; readonly value?: string }>;
  readonly envFrom?: readonly unknown[];
  readonly image: string;
}
interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly strategy?: object;
    readonly selector?: { readonly matchLabels?: object };
    readonly template?: {
      readonly metadata: { readonly labels: object };
      readonly spec: { readonly containers: readonly Container[] };
    };
  };
}

function rendered(Values: object): Resource[] {
  const renderer = createChartRenderer(readProject(`${chart}/templates/_parts.tpl`));
  const root = { Values, Release: { Name: 'library' }, Chart: { AppVersion: chartFile['appVersion'] } };
  return readdirSync(join(PROJECT, chart, 'templates'))
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(renderer.render(readProject(`${chart}/templates/${name}`), root)))
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Resource;
    });
}

function containersOf(resources: readonly Resource[]): Container[] {
  return resources.flatMap(({ spec }) => spec.template?.spec.containers ?? []);
}

test('old and new pods do not run side by side during an upgrade (finding N15)', () => {
  const deployments = rendered(usual).filter(({ kind }) => kind === 'Deployment');
  expect(deployments.map(({ spec }) => spec.strategy)).toEqual([{ type: 'Recreate' }, { type: 'Recreate' }]);
});

test('its version is the version of the package', () => {
  const { version } = JSON.parse(readProject('package.json')) as { version: string };
  expect(chartFile).toMatchObject({ name: manifest.name, version, appVersion: version });
});

test('with default values it has a server, a service, a worker and network policies', () => {
  const kinds = rendered(usual).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(kinds.toSorted()).toEqual([
    'Deployment library-server',
    'Deployment library-worker',
    'NetworkPolicy library',
    'NetworkPolicy library-server',
    'Service library-server',
  ]);
});

test('every container has a memory limit and a liveness probe (finding N25)', () => {
  const containers = containersOf(rendered(usual));
  expect(containers).toHaveLength(2);
  for (const container of containers)
    expect(container).toMatchObject({
      livenessProbe: expect.anything(),
      resources: { limits: { memory: expect.stringMatching(/^\dGi$/) } },
    });
});

test('only the port of the server is open, and no metadata service can be reached (finding N25)', () => {
  const policies = rendered(usual).filter(({ kind }) => kind === 'NetworkPolicy');
  const [server, all] = policies.toSorted((a, b) => b.metadata.name.length - a.metadata.name.length);
  expect(server?.spec).toMatchObject({ policyTypes: ['Ingress'], ingress: [{ ports: [{ port: 'http' }] }] });
  expect(all?.spec).toMatchObject({
    policyTypes: ['Ingress', 'Egress'],
    egress: [
      {
        to: [{ ipBlock: { except: ['169.254.0.0/16'] } }, { ipBlock: { cidr: '::/0', except: ['fd00:ec2::254/128'] } }],
      },
    ],
  });
  expect(all?.spec).not.toHaveProperty('ingress');
});

test('containers run existing commands, unprivileged, with a read-only root file system', () => {
  for (const resource of rendered(everything).filter(({ kind }) => kind === 'Deployment')) {
    const { template, selector } = resource.spec;
    expect(template?.metadata.labels).toEqual(selector?.matchLabels);
    expect(template?.spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 30,
      securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
    });
    for (const container of template?.spec.containers ?? []) {
      expect(isCommand(container.args)).toBe(true);
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      });
    }
  }
});

test('the system calls of pods are those of a profile of the operator, which a browser needs (finding V14)', () => {
  const seccompProfile = { type: 'Localhost', localhostProfile: 'chromium-seccomp.json' };
  const deployments = rendered({ ...usual, seccompProfile }).filter(({ kind }) => kind === 'Deployment');
  expect(deployments).toHaveLength(2);
  for (const { spec } of deployments)
    expect(spec.template?.spec).toMatchObject({ securityContext: { seccompProfile } });
});

test('every variable is a setting, and values reach it', () => {
  const containers = containersOf(rendered(everything).filter(({ kind }) => kind === 'Deployment'));
  const names = containers.flatMap(({ env }) => env.map(({ name }) => name));
  expect(names.filter((name) => !configVariables.has(name))).toEqual([]);
  for (const { env, envFrom } of containers) {
    expect(env).toContainEqual({ name: 'PINAKES_SERVE_ALLOWED_HOSTS', value: 'library-server,docs.corp.example' });
    expect(env).toContainEqual({ name: 'PINAKES_LOG_LEVEL', value: 'debug' });
    expect(env).toContainEqual({ name: 'PINAKES_QDRANT_URLS', value: 'http://library-qdrant:6333' });
    expect(env.find(({ name }) => name === 'PINAKES_QDRANT_API_KEY')).toMatchObject({ valueFrom: INDEX_KEY });
    expect(envFrom).toEqual([{ secretRef: { name: 'docs-tokens' } }]);
  }
});

test('an ingress is rendered if it is enabled', () => {
  const ingress = rendered(everything).find(({ kind }) => kind === 'Ingress');
  expect(ingress?.spec).toMatchObject({ tls: [{ hosts: ['docs.corp.example'], secretName: 'docs-tls' }] });
});

const INDEX_KEY = { secretKeyRef: { name: 'index-key', key: 'api-key' } };

test('a Qdrant is rendered if it is enabled, unprivileged, and only servers and workers reach it', () => {
  const named = rendered(everything).filter(({ metadata }) => metadata.name === 'library-qdrant');
  expect(named.map(({ kind }) => kind).toSorted()).toEqual(['NetworkPolicy', 'Service', 'StatefulSet']);
  const spec = named.find(({ kind }) => kind === 'StatefulSet')?.spec;
  expect(spec?.template?.metadata.labels).toEqual(spec?.selector?.matchLabels);
  expect(spec?.template?.spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000 },
    containers: [
      {
        image: expect.stringMatching(/^qdrant\/qdrant:v1\.16\.\d+-unprivileged$/),
        resources: { limits: { memory: '4Gi' } },
        livenessProbe: expect.anything(),
        securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        env: expect.arrayContaining([{ name: 'QDRANT__SERVICE__API_KEY', valueFrom: INDEX_KEY }]),
      },
    ],
  });
  expect(spec).toMatchObject({ volumeClaimTemplates: [{ spec: { storageClassName: 'ssd' } }] });
  const [policy] = named.filter(({ kind }) => kind === 'NetworkPolicy');
  expect(policy?.spec).toMatchObject({
    podSelector: spec?.selector,
    ingress: [{ from: [{ podSelector: { matchLabels: expect.anything() } }], ports: [{ port: 'http' }] }],
  });
});
