// What one protocol for the owner's socket and for HTTP would cost: CPU time of loading what a command and an owner need for the protocol
// of the socket, and for the HTTP application with a `fetch` over the socket. In multiples of an empty Node process, started alternately.
//
//   npm run build && node bench/serve/owner-protocol.ts [--rounds 15]

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startCpuSeconds } from '../../test/support/start-cpu.ts';
import { writeResult } from '../support/write-result.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const rounds = Number(values.rounds);

const loading = (path: string): readonly string[] => {
  const { href } = pathToFileURL(join(import.meta.dirname, '../../dist', path));
  return ['--input-type=module', '-e', `await import(${JSON.stringify(href)})`];
};
const NODE_HTTP = "process.getBuiltinModule('node:http').request";
const seconds = startCpuSeconds(
  {
    empty: ['-e', '0'],
    commandWithLines: ['-e', NODE_HTTP],
    // A fetch over a socket returns a Response.
    commandWithFetch: ['-e', `${NODE_HTTP}; new Response('{}')`],
    ownerWithLines: loading('serve/owner/owner-server.js'),
    ownerWithApplication: loading('serve/http/http-app.js'),
  },
  rounds,
  {},
);
const empty = seconds['empty'] ?? 0;
const timesEmptyNode = Object.fromEntries(
  Object.entries(seconds).map(([name, one]) => [name, Math.round((one / empty) * 100) / 100]),
);
writeResult('owner-protocol', { rounds, emptySeconds: empty, timesEmptyNode });
