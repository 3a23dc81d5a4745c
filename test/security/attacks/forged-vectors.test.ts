// A bundle from a stranger carries vectors that its own model never made. They decide what is found near what, so no other source
// may get them: a text that another source has as well is embedded by the user's model.

import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run, type ProgramResult, type Settings } from '../../support/program.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const folder = temporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true }));

const TEXT = 'The zebra setting limits how long a request may take.';

interface Model {
  readonly url: string;
  /** All texts that it was asked to embed. */
  readonly texts: string[];
  close(): void;
}

/** Gives every text the same vector. */
async function startModel(vector: readonly number[]): Promise<Model> {
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const { input } = JSON.parse(body) as { input: string[] };
    texts.push(...input);
    response.end(JSON.stringify({ data: input.map((_, index) => ({ index, embedding: vector })) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, texts, close: () => void server.close() };
}

function settingsOf(name: string, model: Model): Settings {
  return {
    PINAKES_DATA_DIR: join(folder, name),
    PINAKES_OWNER_MODE: 'in-process',
    PINAKES_MIN_FREE_BYTES: '0',
    PINAKES_OWNER_IDLE_MS: '1000',
    PINAKES_EMBED_PROVIDER: 'openai',
    PINAKES_EMBED_URL: model.url,
    PINAKES_EMBED_MODEL: 'shared-model',
    PINAKES_EMBED_DIMENSIONS: '4',
  };
}

test(
  'vectors of a bundle do not decide what is found in another source (finding N10)',
  { timeout: 240_000 },
  async () => {
    const docs = join(folder, 'docs');
    mkdirSync(docs);
    writeFileSync(join(docs, 'zebra.md'), `# Zebra\n\n${TEXT}\n`);
    const forging = await startModel([0, 0, 0, 1]);
    const honest = await startModel([1, 0, 0, 0]);
    const attacker = settingsOf('attacker', forging);
    const victim = settingsOf('victim', honest);
    const succeed = async (settings: Settings, ...args: string[]): Promise<ProgramResult> => {
      const result = await run(settings, args);
      expect(result, args.join(' ')).toMatchObject({ code: 0 });
      return result;
    };

    await succeed(attacker, 'add', docs, '--name', 'friendly', '--wait');
    await succeed(attacker, 'worker', '--until-idle');
    const bundle = join(folder, 'friendly.zip');
    await succeed(attacker, 'export', 'friendly', '--out', bundle, '--vectors');
    expect(forging.texts.some((text) => text.includes('zebra'))).toBe(true);

    // The victim has the same space, so the vectors of the bundle are accepted for the bundle's own texts.
    await succeed(victim, 'worker', '--until-idle');
    await succeed(victim, 'import', bundle);
    await succeed(victim, 'worker', '--until-idle');
    const requested = (): number => honest.texts.filter((text) => text.includes(TEXT)).length;
    const before = requested();

    await succeed(victim, 'add', docs, '--name', 'genuine', '--wait');
    await succeed(victim, 'worker', '--until-idle');
    expect(before).toBe(0);
    // A request whose answer came too late is sent again.
    expect(requested()).toBeGreaterThanOrEqual(1);
    forging.close();
    honest.close();
  },
);
