// Runs inside the page, in an isolated world whose globals the page's scripts cannot change. It is text because the
// server does not know the DOM.

/** Consent overlays of the products that most sites use, and the usual names of the others. */
const CONSENT_OVERLAYS = [
  '#onetrust-consent-sdk',
  '#CybotCookiebotDialog',
  '#didomi-host',
  '#usercentrics-root',
  '#cmpbox',
  '#qc-cmp2-container',
  '#truste-consent-track',
  '[id^="sp_message_container"]',
  '.osano-cm-window',
  '.cc-window',
  '.cky-consent-container',
  '.termly-styles-root',
  '[class*="cookie-consent" i]',
  '[class*="cookie-banner" i]',
  '[id*="cookie-consent" i]',
  '[id*="cookie-banner" i]',
  '[aria-label*="cookie consent" i]',
].join(', ');

/**
 * `framedDocument(element)`: the document of a frame that readers see, null if there is none. Only frames of the page's own
 * origin can be read; a tiny one is there for a script, not for readers.
 */
const FRAMED_DOCUMENT = `function framedDocument(element) {
  if (element.localName !== 'iframe' || element.offsetWidth < 100 || element.offsetHeight < 50) return null;
  return element.contentDocument?.body ? element.contentDocument : null;
}`;

/** False while a frame is blank that fills much of the window: it is what readers came for. */
const FRAMES_ARE_DRAWN = `function framesAreDrawn() {
  const area = innerWidth * innerHeight;
  for (const frame of document.querySelectorAll('iframe')) {
    const inner = framedDocument(frame);
    if (inner === null || frame.offsetWidth * frame.offsetHeight < area / 4) continue;
    if (inner.body.innerText.trim() === '' && !inner.body.querySelector('img, canvas, input')) return false;
  }
  return true;
}`;

/**
 * True when the document has not changed for `pageIdleMs` and has some text; false after `limitMs`. A document without text, or
 * with a large frame that is blank, waits for its scripts.
 */
export function waitUntilIdle(pageIdleMs: number, limitMs: number): string {
  return `new Promise((resolve) => {
    const start = performance.now();
    let changedAt = start;
    let searchedAt = -1;
    const roots = new Set();
    const observer = new MutationObserver(() => { changedAt = performance.now(); });
    observe(document);
    const timer = setInterval(() => {
      if (searchedAt < changedAt) for (const root of roots) observeShadowRoots(root);
      observeFrames();
      const now = performance.now();
      const isStill = now - changedAt >= ${pageIdleMs} && hasText() && framesAreDrawn();
      if (!isStill && now - start < ${limitMs}) return;
      clearInterval(timer);
      observer.disconnect();
      resolve(isStill);
    }, 50);
    function observe(root) {
      roots.add(root);
      observer.observe(root, { childList: true, subtree: true, characterData: true });
    }
    // Changes within a shadow root are not seen from outside.
    function observeShadowRoots(root) {
      searchedAt = performance.now();
      for (const { shadowRoot } of root.querySelectorAll('*'))
        if (shadowRoot && !roots.has(shadowRoot)) { observe(shadowRoot); changedAt = performance.now(); }
    }
    // A frame that loads has a new document, which changes nothing in the page around it.
    function observeFrames() {
      for (const root of roots)
        for (const frame of root.querySelectorAll('iframe')) {
          const inner = framedDocument(frame);
          if (inner && !roots.has(inner) && roots.size < ${MAX_OBSERVED}) { observe(inner); changedAt = performance.now(); }
        }
    }
    ${FRAMED_DOCUMENT}
    ${FRAMES_ARE_DRAWN}
    function hasText() {
      let chars = 0, seen = 0;
      for (const root of roots) {
        const walker = document.createTreeWalker(root.body ?? root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
          /^(?:script|style|noscript|template)$/.test(node.localName ?? '') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
        for (; walker.nextNode() && seen < 5000; seen += 1) {
          if (walker.currentNode.nodeType === 3) chars += walker.currentNode.data.trim().length;
          if (chars >= ${MIN_CHARS}) return true;
        }
      }
      return false;
    }
  })`;
}

/** Links that look like hash routes and lead to a part of the same page. */
const SECTION_LINKS = '.swagger-ui a[href^="#/"]';

/** About a line of text: what a loading screen has. */
const MIN_CHARS = 60;

/** Documents and shadow roots that are watched for changes, so that a page that makes frames without end becomes idle. */
const MAX_OBSERVED = 2000;

/** Frames whose text is part of the page, and how deep they may be nested. */
const MAX_FRAMES = 20;
const MAX_FRAME_DEPTH = 3;

/**
 * The document as HTML, or null if it is longer than `maxChars`. A shadow root stands in place of its host's children, a
 * slot is replaced by what was assigned to it, and a frame by the body of its document; the copy is made in an inert
 * document, where no element reacts to it.
 */
export function snapshotDocument(maxChars: number): string {
  return `(() => {
    const DROPPED = 'script:not([type$="json"]), noscript, template';
    for (const element of document.querySelectorAll(DROPPED + ', ' + ${JSON.stringify(CONSENT_OVERLAYS)})) element.remove();
    for (const link of document.querySelectorAll(${JSON.stringify(SECTION_LINKS)})) link.removeAttribute('href');
    let frames = 0;
    const isOneTree = [...document.querySelectorAll('*')].every((element) => !element.shadowRoot && !framedDocument(element));
    const html = (isOneTree ? document.documentElement : flatten(document.documentElement)).outerHTML;
    return html.length > ${maxChars} ? null : '<!doctype html>' + html;

    function flatten(root) {
      const inert = document.implementation.createHTMLDocument('');
      const top = inert.importNode(root, false);
      const pending = childrenOf(root, 0).reverse().map((child) => [child, top, 0]);
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        const [node, parent, depth] = next;
        if (node.nodeType === 1 && (node.localName === 'style' || node.matches(DROPPED))) continue;
        const isFrame = node.localName === 'iframe';
        const copy = node.localName === 'slot' ? parent : isFrame ? inert.createElement('div') : inert.importNode(node, false);
        if (copy !== parent) parent.appendChild(copy);
        if (depth > 0 && node.nodeType === 1) resolveUrls(node, copy);
        for (const child of childrenOf(node, depth).reverse()) pending.push([child, copy, depth + (isFrame ? 1 : 0)]);
      }
      return top;
    }

    function childrenOf(node, depth) {
      if (node.nodeType !== 1) return [];
      if (node.shadowRoot) return [...node.shadowRoot.childNodes];
      if (node.localName === 'iframe') return depth < ${MAX_FRAME_DEPTH} ? bodyOf(framedDocument(node)) : [];
      const assigned = node.localName === 'slot' && node.assignedNodes ? node.assignedNodes() : [];
      return assigned.length > 0 ? assigned : [...node.childNodes];
    }

    // Without what it keeps in reserve, such as its loading and error screens.
    function bodyOf(framed) {
      if (framed === null || frames >= ${MAX_FRAMES}) return [];
      frames += 1;
      return [...framed.body.childNodes].filter((node) => node.nodeType !== 1 || getComputedStyle(node).display !== 'none');
    }

    // They are relative to the document of the frame. A link to that document with another query shows something else in
    // the frame, so it leads to no page.
    function resolveUrls(node, copy) {
      if (node.hasAttribute('src')) copy.setAttribute('src', String(node.src));
      if (!node.hasAttribute('href')) return;
      const framed = URL.parse(node.baseURI);
      const target = URL.parse(node.getAttribute('href'), node.baseURI);
      if (framed === null || target === null) return;
      const isOwn = target.origin === framed.origin && target.pathname === framed.pathname;
      if (!isOwn) copy.setAttribute('href', target.href);
      else if (target.search === framed.search && target.hash !== '') copy.setAttribute('href', target.hash);
      else copy.removeAttribute('href');
    }
    ${FRAMED_DOCUMENT}
  })()`;
}
