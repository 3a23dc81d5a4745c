// The page that needs no server. The same script is the page and its worker: whoever has no document is the worker.

import '../disable-zod-jit.ts';
import { createRoot } from 'react-dom/client';
import { connect } from './open-library.ts';
import type { GrammarData } from '../local/grammar-data.ts';
import { answerCalls } from './worker.ts';
import { LocalApp } from './browser-app.tsx';

if (typeof document === 'undefined') answerCalls(globalThis as unknown as Worker);
else void begin();

async function begin(): Promise<void> {
  const own = document.querySelector('script[type=module]')?.textContent ?? '';
  const grammars = JSON.parse(document.querySelector('#grammars')?.textContent ?? '{}') as GrammarData;
  const { library, runsIn } = await connect(own, grammars);
  const root = document.querySelector('#app');
  if (root !== null) createRoot(root).render(<LocalApp library={library} runsIn={runsIn} />);
}
