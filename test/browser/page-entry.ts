// Run in a page: takes the inputs that another script left, and leaves the outputs in the document as text.

import { core } from '../../web/core-entry.ts';
import type { EngineInputs, EngineOutput } from './engine-inputs.ts';
import { engineOutputs } from './engine-outputs.ts';

export interface PageReport {
  readonly outputs: readonly EngineOutput[];
  readonly error: string | null;
  /** What the policy of the page refused while core ran. */
  readonly refused: readonly string[];
  /** Proof that the policy is in force: what became of a request, and of an eval. */
  readonly request: string;
  readonly eval: string;
}

const refused: string[] = [];
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
  refused.push(`${violatedDirective} ${blockedURI} ${sample}`.trim());
});

const ran = await run();
// Violations are told in a later task.
await new Promise((resolve) => setTimeout(resolve, 50));
const duringRun = [...refused];
const report: PageReport = { ...ran, refused: duringRun, request: await tryRequest(), eval: tryEval() };
const place = document.createElement('pre');
place.id = 'report';
place.textContent = JSON.stringify(report);
document.body.append(place);

async function run(): Promise<Pick<PageReport, 'outputs' | 'error'>> {
  try {
    const inputs = (globalThis as unknown as { engineInputs: EngineInputs }).engineInputs;
    return { outputs: await engineOutputs(inputs), error: null };
  } catch (error) {
    const said = error instanceof core.PinakesError ? error.code : String(error);
    return { outputs: [], error: said };
  }
}

async function tryRequest(): Promise<string> {
  try {
    await fetch('/');
    return 'answered';
  } catch {
    return 'refused';
  }
}

function tryEval(): string {
  try {
    // oxlint-disable-next-line no-eval -- it shows that the policy is in force
    return String(eval('1'));
  } catch {
    return 'refused';
  }
}
