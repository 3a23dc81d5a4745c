// The checks of `doctor` for a remote server: whether it is one, whether it is ready, and whether it accepts the token.

import type { CheckResult } from '../platform/check-machine.ts';
import { deadline } from '../platform/clock.ts';

const TIMEOUT_MS = 10_000;

export async function checkServer(
  { server, token }: { readonly server: string; readonly token: string },
  version: string,
): Promise<readonly CheckResult[]> {
  const base = server.replace(/\/+$/, '');
  const alive = await request(`${base}/healthz`);
  if (!isAlive(alive))
    return [
      {
        name: 'server',
        state: 'failed',
        detail: `${base} is not a Pinakes server: ${alive.status === null ? alive.text : `status ${alive.status}`}`,
        hint: 'Check the URL, and that pinakes serve is running there',
      },
    ];
  return [
    { name: 'server', state: 'ok', detail: base, hint: null },
    readinessResult(await request(`${base}/readyz`)),
    accessResult(await request(`${base}/api/openapi.json`, token), version),
  ];
}

export async function isServerAt(url: string): Promise<boolean> {
  return isAlive(await request(`${url}/healthz`));
}

function isAlive({ status, text }: Response): boolean {
  return status === 200 && text.trim() === 'ok';
}

interface Response {
  /** Null if there was no response; `text` then says why. */
  readonly status: number | null;
  readonly text: string;
}

async function request(url: string, token = ''): Promise<Response> {
  const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  try {
    const response = await fetch(url, { headers, signal: deadline(TIMEOUT_MS) });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string };
    return { status: null, text: cause?.code ?? message };
  }
}

function readinessResult({ status, text }: Response): CheckResult {
  if (status === 200) return { name: 'readiness', state: 'ok', detail: 'its database responds', hint: null };
  return {
    name: 'readiness',
    state: 'failed',
    detail: text.trim() || `status ${status}`,
    hint: 'See the log of the server',
  };
}

function accessResult({ status, text }: Response, version: string): CheckResult {
  const name = 'access';
  if (status === 401)
    return {
      name,
      state: 'failed',
      detail: 'the server requires a valid access token',
      hint: 'Create one there with pinakes tokens create NAME, and export it here as PINAKES_TOKEN',
    };
  if (status !== 200) return { name, state: 'failed', detail: `status ${status}`, hint: 'See the log of the server' };
  const theirs = versionOf(text);
  const isSame = theirs === version;
  return {
    name,
    state: isSame ? 'ok' : 'missing',
    detail: `pinakes ${theirs}${isSame ? '' : `, and this is ${version}`}`,
    hint: isSame ? null : 'Use the same version on both sides if a command fails',
  };
}

function versionOf(text: string): string {
  try {
    return (JSON.parse(text) as { info?: { version?: string } }).info?.version ?? 'of an unknown version';
  } catch {
    return 'of an unknown version';
  }
}
