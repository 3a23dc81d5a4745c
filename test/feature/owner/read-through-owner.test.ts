// A reading command asks the owner that already runs, whose index is open and warm, and reads the library itself otherwise.

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { openCommandLibrary } from '../../../src/compose/open-command-library.ts';
import type { AppContext } from '../../../src/compose/app-context.ts';
import { loadConfig } from '../../../src/platform/config/load-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { ownerFingerprint } from '../../../src/serve/owner/owner-protocol.ts';
import { prepareOwnerSocket } from '../../../src/serve/owner/owner-socket.ts';
import { prepareLibrary } from '../../support/test-server.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const ANSWER = { sources: [{ name: 'of-the-owner' }] };

async function createContext(): Promise<AppContext> {
  const settings = { PINAKES_DATA_DIR: temporaryDirectory() };
  await prepareLibrary(settings, async () => undefined);
  const { config, origins } = loadConfig({ env: settings, cwd: '/', readFile: () => null });
  const log = createLog({ level: 'error', now: () => new Date() });
  return { config, origins, log, command: 'test', version: '0.0.0', signal: new AbortController().signal };
}

async function listen({ config }: AppContext, respond: RequestListener): Promise<void> {
  const server = createServer(respond).listen(prepareOwnerSocket(config.dataDir).path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
}

const owner =
  ({ config }: AppContext, version: string): RequestListener =>
  ({ url }, response) => {
    if (url === '/hello') response.end(JSON.stringify({ ...ownerFingerprint(config, version), pid: 1 }));
    else response.end(`${JSON.stringify({ result: ANSWER })}\n`);
  };

async function sourcesOf(context: AppContext): Promise<unknown> {
  const library = await openCommandLibrary(context, 'read');
  const { sources } = (await library.call('list_sources', {})) as typeof ANSWER;
  await library.close();
  return sources;
}

test('a read is answered by the owner that runs', async () => {
  const context = await createContext();
  await listen(context, owner(context, context.version));
  expect(await sourcesOf(context)).toEqual(ANSWER.sources);
});

test('what concerns this process is not asked of the owner', async () => {
  const context = await createContext();
  await listen(context, owner(context, context.version));
  const library = await openCommandLibrary(context, 'read');
  expect(await library.call('show_settings', {})).not.toEqual(ANSWER);
  await library.close();
});

test.each([
  ['is another program', (context: AppContext) => owner(context, '9.9.9')],
  ['does not respond', () => () => undefined],
  [
    'exits during the call',
    (context: AppContext): RequestListener =>
      (request, response) => {
        if (request.url === '/hello') owner(context, context.version)(request, response);
        else request.socket.destroy();
      },
  ],
])('a read that finds an owner which %s reads the library itself', async (_, respond) => {
  const context = await createContext();
  await listen(context, respond(context));
  expect(await sourcesOf(context)).toEqual([]);
});
