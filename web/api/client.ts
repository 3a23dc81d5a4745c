// Calls the public API. Responses are typed by the actions; an error response becomes an `ApiError` with the server's message.

const TOKEN_KEY = 'pinakes.token';

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

/** Stored for this tab only; another tab asks for the token again. */
export function saveToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token);
}

export function authorization(): Record<string, string> {
  const token = sessionStorage.getItem(TOKEN_KEY);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** Who is signed in, by a session or by the token of this tab, and where one signs in. */
export interface SessionView {
  readonly issuer: { readonly host: string; readonly signInUrl: string } | null;
  readonly caller: { readonly name: string; readonly role: 'read' | 'admin'; readonly isSession: boolean } | null;
}

/** No caller and no issuer if the server refuses or limits the request. */
export async function fetchSession(signal: AbortSignal): Promise<SessionView> {
  const response = await fetch('/session', { headers: authorization(), signal });
  return response.ok ? ((await response.json()) as SessionView) : { issuer: null, caller: null };
}

/** Ends the session of this browser, or forgets the token of this tab. */
export async function signOut(): Promise<void> {
  if (hasToken()) sessionStorage.removeItem(TOKEN_KEY);
  else await fetch('/session', { method: 'DELETE' });
}

export function hasToken(): boolean {
  return sessionStorage.getItem(TOKEN_KEY) !== null;
}

/** Fetches a file with the token of this tab and saves it under the given name. */
export async function downloadFile(path: string, name: string): Promise<void> {
  const response = await fetch(`/api${path}`, { headers: authorization() });
  if (!response.ok) throw await parseError(response);
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(entries).toString();
  return request<T>(`/api${path}${search === '' ? '' : `?${search}`}`, { ...(signal && { signal }) });
}

export function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  return send<T>('POST', path, body, signal);
}

export function patch<T>(path: string, body: unknown): Promise<T> {
  return send<T>('PATCH', path, body);
}

function send<T>(method: 'POST' | 'PATCH', path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return request<T>(`/api${path}`, { method, headers, body: JSON.stringify(body), ...(signal && { signal }) });
}

export function remove<T>(path: string): Promise<T> {
  return request<T>(`/api${path}`, { method: 'DELETE' });
}

function unreachable(): ApiError {
  return new ApiError('unreachable', 0, 'The server does not respond. Is `pinakes serve` still running?');
}

/** Raises `unreachable` if the server does not respond. */
export async function requireServer(): Promise<void> {
  await fetch('/healthz').catch(() => {
    throw unreachable();
  });
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  const headers = { ...(init.headers as Record<string, string> | undefined), ...authorization() };
  const response = await fetch(path, { ...init, headers }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  });
  if (!response.ok) throw await parseError(response);
  return (await response.json()) as T;
}

async function parseError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const error = (body as { error?: { code?: string; message?: string } } | null)?.error;
  return new ApiError(
    error?.code ?? 'unknown',
    response.status,
    error?.message ?? `The server responded with status ${response.status}`,
  );
}
