// Runs in a page: reads the inputs that another script set, and writes the outputs into the document as text.

import { core } from '../../../web/core-entry.ts';
import type { EngineInputs, EngineOutput } from './engine-inputs.ts';
import { engineOutputs } from './engine-outputs.ts';

export interface PageReport {
  readonly outputs: readonly EngineOutput[];
  readonly error: string | null;
  /** Violations of the page policy while core ran. */
  readonly violations: readonly string[];
  /** Proof that the policy is in force: the results of a request and of an eval. */
  readonly request: string;
  readonly eval: string;
}

const violations: string[] = [];
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
  violations.push(`${violatedDirective} ${blockedURI} ${sample}`.trim());
});

const result = await run();
// Violations are reported in a later task.
await new Promise((resolve) => setTimeout(resolve, 50));
const duringRun = [...violations];
const report: PageReport = { ...result, violations: duringRun, request: await tryRequest(), eval: tryEval() };
const output = document.createElement('pre');
output.id = 'report';
output.textContent = JSON.stringify(report);
document.body.append(output);

async function run(): Promise<Pick<PageReport, 'outputs' | 'error'>> {
  try {
    const inputs = (globalThis as unknown as { engineInputs: EngineInputs }).engineInputs;
    return { outputs: await engineOutputs(inputs), error: null };
  } catch (error) {
    const message = error instanceof core.PinakesError ? error.code : String(error);
    return { outputs: [], error: message };
  }
}

async function tryRequest(): Promise<string> {
  try {
    await fetch('/');
    return 'allowed';
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
