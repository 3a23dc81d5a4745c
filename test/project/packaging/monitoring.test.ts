// The dashboard and the alert rules: what they ask for exists, and the rules fire on their fault alone.

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { METRICS, type MetricDeclaration } from '../../../src/platform/metrics.table.ts';
import { PROJECT, readProject } from '../../support/project-files.ts';
import { needingProgram } from '../../support/needs.ts';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: ReadonlyArray<{ readonly refId: string; readonly expr: string }>;
}
interface Rules {
  readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<{ readonly alert: string; readonly expr: string }> }>;
}

const dashboard = JSON.parse(readProject('packaging/grafana/pinakes.json')) as {
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
};
const { groups } = parse(readProject('packaging/prometheus/alerts.yaml')) as Rules;
const rules = groups.flatMap((group) => group.rules);

/** Names that an expression has and no server does. A histogram is asked for by its parts. */
function unknownMetrics(expr: string): string[] {
  const known = Object.entries<MetricDeclaration>(METRICS).flatMap(([name, { type }]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
  );
  return [...expr.matchAll(/pinakes_(\w+)/g)].map(([, name = '']) => name).filter((name) => !known.includes(name));
}

test('a name that no server has is found', () => {
  expect(unknownMetrics('max(pinakes_pages) + rate(pinakes_search_duration_seconds[5m])')).toEqual([
    'search_duration_seconds',
  ]);
});

test('[H2] every metric of the dashboard and of the alerts exists', () => {
  const requested = [...dashboard.panels.flatMap(({ targets }) => targets), ...rules].map(({ expr }) => expr);
  expect(requested.length).toBeGreaterThan(25);
  expect(requested.flatMap(unknownMetrics)).toEqual([]);
  expect(requested.filter((expr) => !expr.includes('pinakes_'))).toEqual([]);
});

test('the dashboard has one place for each panel', () => {
  const { panels, schemaVersion } = dashboard;
  expect(schemaVersion).toBeGreaterThan(30);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
  expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  expect(panels.filter(({ title, targets }) => title === '' || targets.length === 0)).toEqual([]);
});

/** Of the Debian package prometheus, or as PROMTOOL names it. */
const promtool = process.env['PROMTOOL'] ?? 'promtool';

test(
  'promtool accepts the rules, and each fires on its own fault alone',
  needingProgram(promtool, 'prometheus'),
  () => {
    for (const args of [
      ['check', 'rules', 'alerts.yaml'],
      ['test', 'rules', 'alerts.test.yaml'],
    ]) {
      const { status, stdout, stderr } = spawnSync(promtool, args, {
        cwd: `${PROJECT}/packaging/prometheus`,
        encoding: 'utf8',
      });
      expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
    }
  },
);
