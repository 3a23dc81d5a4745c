// Runs attacks in the network namespace that it was started in, and writes their results. test/long/render.test.ts starts it
// as `unshare -rn`.

import { execFileSync } from 'node:child_process';
import { attackFromPage, type AttackOptions } from './attack-from-page.ts';
import { openNamespaceNetwork } from './attack-network.ts';

for (const command of ['link set lo up', 'route add local 0.0.0.0/0 dev lo', '-6 route add local ::/0 dev lo'])
  execFileSync('ip', command.split(' '));

const network = await openNamespaceNetwork();
const options = JSON.parse(process.argv[2] ?? '{}') as Omit<AttackOptions, 'network'>;
process.stdout.write(JSON.stringify(await attackFromPage({ ...options, network })));
await network.close();
