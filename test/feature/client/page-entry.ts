// A page that uses a library on a server. Its inputs are in its address, and its outputs in its text.

import { connect } from '../../../src/client/index.ts';

const inputs = new URL(location.href).searchParams;
const library = connect({ server: inputs.get('server') ?? '', token: inputs.get('token') ?? '' });

async function use(): Promise<object> {
  const run = await library.add({ url: inputs.get('site') ?? '', name: 'courier' });
  const kinds: string[] = [];
  for await (const { kind } of run.events()) kinds.push(kind);
  const { state } = await run.done();
  const { passages } = await library.search('how long does the pool keep a connection');
  const refused = await library.search('').catch((error: unknown) => (error as { code: string }).code);
  return { state, kinds, text: passages[0]?.text, refused };
}

const report = document.createElement('pre');
report.id = 'report';
report.textContent = JSON.stringify(await use().catch((error: unknown) => ({ error: String(error) })));
document.body.append(report);
