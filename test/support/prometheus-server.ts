// A real Prometheus that scrapes one server by the alert rules of the package: the one on the PATH, which is that of the Debian package
// prometheus, or the one that PROMETHEUS names.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary-folder.ts';
import { waitUntil } from './wait-until.ts';

const PROGRAM = process.env['PROMETHEUS'] ?? 'prometheus';

export const hasPrometheus = spawnSync(PROGRAM, ['--version']).status === 0;

export interface PrometheusServer {
  /** Names of the alerts that fire now. */
  firing(): Promise<readonly string[]>;
  /** The value of an expression that has one; null if it has none. */
  value(expr: string): Promise<number | null>;
  close(): Promise<void>;
}

/** Times of the rules are minutes; `faster` divides them, and the thresholds that are seconds. */
export function scaleRules(rules: string, faster: number): string {
  return rules
    .replaceAll(/(_seconds\) > )(\d+)/g, (_, head: string, seconds: string) => `${head}${Number(seconds) / faster}`)
    .replaceAll(/\bfor: (\d+)m/g, (_, minutes: string) => `for: ${Math.ceil((Number(minutes) * 60) / faster)}s`);
}

export async function startPrometheus(target: string, rules: string): Promise<PrometheusServer> {
  const folder = temporaryDirectory();
  const port = await freePort();
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yaml'],
    scrape_configs: [{ job_name: 'pinakes', static_configs: [{ targets: [new URL(target).host] }] }],
  };
  writeFileSync(join(folder, 'rules.yaml'), rules);
  writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config));
  const options = {
    'config.file': join(folder, 'prometheus.yaml'),
    'storage.tsdb.path': join(folder, 'data'),
    'web.listen-address': `127.0.0.1:${port}`,
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(PROGRAM, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4000)));
  const send = async (path: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    if (!response.ok) throw new Error(`Prometheus responded with status ${response.status}`);
    return response.json();
  };
  await waitUntil('Prometheus is ready', () => {
    if (child.exitCode !== null) throw new Error(`Prometheus ended: ${said}`);
    return fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    async firing() {
      const { data } = (await send('/api/v1/alerts')) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] };
      };
      const firing = data.alerts.filter(({ state }) => state === 'firing');
      return firing.map(({ labels }) => labels.alertname).toSorted();
    },
    async value(expr) {
      const { data } = (await send(`/api/v1/query?query=${encodeURIComponent(expr)}`)) as {
        data: { result: { value: [number, string] }[] };
      };
      const [first] = data.result;
      return first === undefined ? null : Number(first.value[1]);
    },
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
