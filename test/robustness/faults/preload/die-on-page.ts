// A page that crashes its worker: the process is killed when it receives the response head for FAULT_DEADLY_PATH.

import { subscribe } from 'node:diagnostics_channel';

const deadly = process.env['FAULT_DEADLY_PATH'] ?? ' ';

subscribe('undici:request:headers', (message) => {
  const { request } = message as { request: { path: string } };
  if (request.path === deadly) process.kill(process.pid, 'SIGKILL');
});
