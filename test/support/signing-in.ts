// A browser that signs in to the dashboard: it keeps cookies and follows no redirect by itself.

export interface SigningInBrowser {
  readonly cookies: Map<string, string>;
  /** The Set-Cookie headers so far. */
  readonly set: string[];
  /** `path` of the server, or a URL. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Begins a sign-in; returns the address of the issuer's page. */
  begin(to?: string): Promise<string>;
  /** Visits the issuer; returns the address that it sends the browser back to. */
  agree(page: string): Promise<string>;
  /** The whole sign-in; returns the response of the callback. */
  signIn(to?: string): Promise<Response>;
}

/** `publicUrl` is what the issuer sends browsers back to; `url` is where the server listens. */
export function createSigningInBrowser(url: string, publicUrl = url): SigningInBrowser {
  const cookies = new Map<string, string>();
  const set: string[] = [];
  const browser: SigningInBrowser = {
    cookies,
    set,
    async request(path, init = {}) {
      const headers = new Headers(init.headers);
      const pairs = [...cookies].map(([name, value]) => `${name}=${value}`);
      if (pairs.length > 0 && !headers.has('cookie')) headers.set('cookie', pairs.join('; '));
      const response = await fetch(new URL(path.replace(publicUrl, url), url), {
        redirect: 'manual',
        ...init,
        headers,
      });
      for (const header of response.headers.getSetCookie()) {
        set.push(header);
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
        if (/Max-Age=0(?:;|$)/.test(header)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    },
    begin: async (to = '/') => locationOf(await browser.request(`/sign-in?to=${encodeURIComponent(to)}`)),
    agree: async (page) => locationOf(await fetch(page, { redirect: 'manual' })),
    signIn: async (to = '/') => browser.request(await browser.agree(await browser.begin(to))),
  };
  return browser;
}

function locationOf(response: Response): string {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`no redirect, but ${response.status}`);
  return location;
}
