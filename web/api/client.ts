// Asks the public API. Answers are typed by the actions; a refusal becomes an `ApiError` with the server's own sentence.

const TOKEN = 'pinakes.token';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Kept for the tab only: whoever opens another one says it again. */
export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

export function authorization(): Record<string, string> {
  const token = sessionStorage.getItem(TOKEN);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

export function hasToken(): boolean {
  return sessionStorage.getItem(TOKEN) !== null;
}

/** Fetches a file with the token of this tab and saves it under a name. */
export async function fetchFile(path: string, name: string): Promise<void> {
  const response = await fetch(`/api${path}`, { headers: authorization() });
  if (!response.ok) throw await refusalOf(response);
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const search = new URLSearchParams(given).toString();
  return ask<T>(`/api${path}${search === '' ? '' : `?${search}`}`, { ...(signal && { signal }) });
}

export function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return ask<T>(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) });
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const headers = { ...(init.headers as Record<string, string> | undefined), ...authorization() };
  const response = await fetch(path, { ...init, headers }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('unreachable', 0, 'The server does not answer. Is `pinakes serve` still running?');
  });
  if (!response.ok) throw await refusalOf(response);
  return (await response.json()) as T;
}

async function refusalOf(response: Response): Promise<ApiError> {
  const answer: unknown = await response.json().catch(() => null);
  const said = (answer as { error?: { code?: string; message?: string } } | null)?.error;
  return new ApiError(
    said?.code ?? 'unknown',
    response.status,
    said?.message ?? `The server answered ${response.status}`,
  );
}
