// Pages that the server renders: they are complete without JavaScript. Every text is escaped; links lead to paths of this server only.

/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

export type Content = string | number | null | Html | readonly Content[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}

function render(content: Content): string {
  if (content === null) return '';
  if (Array.isArray(content)) return (content as readonly Content[]).map(render).join('');
  return typeof content === 'object' ? (content as Html).html : escape(String(content));
}

/** A template whose values are escaped, unless they are HTML. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return { html: parts.map((part, i) => part + render(values[i] ?? null)).join('') };
}

export function link(path: string, text: Content): Html {
  return html`<a href="${path}">${text}</a>`;
}

/** `path` with its query; empty fields are left out. */
export function pathWith(path: string, query: Readonly<Record<string, string | number | null | undefined>>): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)] as const],
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(Object.fromEntries(entries)).toString()}`;
}

const LISTS = [
  ['/queues/ssr', 'Queues'],
  ['/problems/ssr', 'Problems'],
  ['/milestones/ssr', 'Milestones'],
  ['/analysis/ssr', 'Analysis'],
  ['/gazetteer', 'Gazetteer'],
  ['/', 'Dashboard'],
] as const;

export const SCRIPT_PATH = '/ssr/refresh.js';
export const STYLE_PATH = '/ssr/style.css';

/** `refreshEveryMs` makes the script fetch the page again and replace its content in place. */
export function htmlPage(title: string, content: Content, refreshEveryMs: number | null = null): string {
  const refresh =
    refreshEveryMs === null ? null : html`<script src="${SCRIPT_PATH}" data-every="${refreshEveryMs}" defer></script>`;
  const lists = html`<nav>${LISTS.map(([path, name]) => html`${link(path, name)} `)}</nav>`;
  return pageOf(title, [lists, mainOf(title, content)], refresh);
}

/** For a caller without rights: it leads to no list. */
export function messagePage(title: string, content: Content): string {
  return pageOf(title, html`<div class="message">${mainOf(title, content)}</div>`);
}

function mainOf(title: string, content: Content): Html {
  return html`<main>
    <h1>${title}</h1>
    ${content}
  </main>`;
}

function pageOf(title: string, body: Content, head: Content = null): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Pinakes</title>
        <link rel="stylesheet" href="${STYLE_PATH}" />
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `.html;
}

/** Fetches the page again while it asks for it: an ended run is not polled. */
export const REFRESH_SCRIPT = `const every = Number(document.currentScript.dataset.every);
async function refresh() {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null);
  if (response === null || !response.ok) return setTimeout(refresh, every);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  document.querySelector('main').replaceWith(page.querySelector('main'));
  if (page.querySelector('script[data-every]') !== null) setTimeout(refresh, every);
}
setTimeout(refresh, every);
`;

export const STYLE = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 75rem; padding: 1rem; }
nav { display: flex; flex-wrap: wrap; gap: 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .3rem .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 1rem 0; }
label { display: grid; }
.message { max-width: 34rem; margin: 12vh auto; font-size: 1.05rem; }
.message h1 { font: 500 1.75rem/1.2 Newsreader, Palatino, Georgia, serif; }
.pager { display: flex; gap: 1rem; margin: 1rem 0; }
.warning { color: #a60; } .error, .failed { color: #c22; }
`;
