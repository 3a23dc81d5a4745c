// The sites of a soak test: one that does its worst, one whose pages are built by a script, and one that states how fast it may be asked.

import { docPage, startDocSite, type DocSite } from '../../support/scripted-site.ts';

export const SCRIPTED_START = '/scripted/';
export const GOOD_START = '/good/';
export const GOOD_PAGES = 20;
const SCRIPTED_PAGES = 15;

export interface SoakSites {
  readonly hostile: DocSite;
  readonly scripted: DocSite;
  readonly good: DocSite;
  close(): Promise<void>;
}

export async function startSoakSites(): Promise<SoakSites> {
  const hostile = await startHostileSite();
  const scripted = await startScriptedPages();
  const good = await startGoodSite();
  const close = async (): Promise<void> => {
    for (const site of [hostile, scripted, good]) await site.close();
  };
  return { hostile, scripted, good, close };
}

/** A site that resets connections, fails, is slow, sends what is not a page, and links to more pages without end. */
function startHostileSite(): Promise<DocSite> {
  let nth = 0;
  return startDocSite({}, (request, response) => {
    nth += 1;
    const links = Array.from({ length: 40 }, (_, link) => `/${nth}/${link}?session=${nth * link}`);
    switch (request.url === '/' || request.url === '/robots.txt' ? -1 : nth % 6) {
      case 0:
        return void response.destroy();
      case 1:
        return void response.writeHead(503, { 'retry-after': '1' }).end();
      case 2:
        return void setTimeout(() => response.destroy(), 1000);
      case 3:
        return void response.writeHead(200, { 'content-type': 'application/pdf' }).end(Buffer.alloc(100_000, nth));
      case 4:
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<div>'.repeat(100_000));
      default:
        response.setHeader('content-type', 'text/html; charset=utf-8');
        return void response.end(request.url === '/robots.txt' ? '' : docPage(`page ${nth}`, links));
    }
  });
}

/** Without a browser its pages are empty. */
function startScriptedPages(): Promise<DocSite> {
  const links = Array.from({ length: SCRIPTED_PAGES }, (_, page) => SCRIPTED_START + page);
  return startDocSite(
    { '/robots.txt': '', [SCRIPTED_START]: docPage('scripted pages', links) },
    (request, response) => {
      const text = JSON.stringify(`The page ${request.url} is built by its script, which takes a moment. `.repeat(4));
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        `<!doctype html><title>${request.url}</title><div id="app"></div><script>setTimeout(() => { app.innerHTML = '<main><h1>${request.url}</h1><p>' + ${text} + '</p></main>' }, 50)</script>`,
      );
    },
  );
}

function startGoodSite(): Promise<DocSite> {
  const links = Array.from({ length: GOOD_PAGES }, (_, page) => GOOD_START + page);
  return startDocSite({ '/robots.txt': '', [GOOD_START]: docPage('good pages', links) }, (request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(docPage(`good page ${request.url}`));
  });
}
