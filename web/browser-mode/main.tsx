// The browser-only mode. The same script runs in the page and in its worker: without a document, it is the worker.

import '../disable-zod-jit.ts';
import { createRoot } from 'react-dom/client';
import { openBrowserLibrary } from './open-browser-library.ts';
import type { GrammarData } from './browser-library.ts';
import { serveLibrary } from './worker.ts';
import { BrowserApp } from './browser-app.tsx';

if (typeof document === 'undefined') serveLibrary(globalThis as unknown as Worker);
else void start();

async function start(): Promise<void> {
  const script = document.querySelector('script[type=module]')?.textContent ?? '';
  const grammars = JSON.parse(document.querySelector('#grammars')?.textContent ?? '{}') as GrammarData;
  const words = document.querySelector('#words')?.textContent ?? '';
  const { library, runsIn } = await openBrowserLibrary(script, { grammars, words });
  const root = document.querySelector('#app');
  if (root !== null) createRoot(root).render(<BrowserApp library={library} runsIn={runsIn} />);
}
