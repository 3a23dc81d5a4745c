// What runs inside the page, in a world of its own whose globals the page's scripts cannot change. It is text because the
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
 * True when the document has not changed for `quietMs` and has some text; false after `limitMs`. A document without text
 * waits for its scripts.
 */
export function whenStill(quietMs: number, limitMs: number): string {
  return `new Promise((resolve) => {
    const start = performance.now();
    let changedAt = start;
    let searchedAt = -1;
    const roots = new Set();
    const observer = new MutationObserver(() => { changedAt = performance.now(); });
    observe(document);
    const timer = setInterval(() => {
      if (searchedAt < changedAt) for (const root of roots) observeShadowRoots(root);
      const now = performance.now();
      const isStill = now - changedAt >= ${quietMs} && hasText();
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

/**
 * The document as HTML, or null if it is longer than `maxChars`. A shadow root stands in place of its host's children, and a
 * slot is replaced by what was assigned to it; the copy is made in an inert document, where no element reacts to it.
 */
export function takeSnapshot(maxChars: number): string {
  return `(() => {
    const DROPPED = 'script:not([type$="json"]), noscript, template';
    for (const element of document.querySelectorAll(DROPPED + ', ' + ${JSON.stringify(CONSENT_OVERLAYS)})) element.remove();
    for (const link of document.querySelectorAll(${JSON.stringify(SECTION_LINKS)})) link.removeAttribute('href');
    const hasShadow = [...document.querySelectorAll('*')].some((element) => element.shadowRoot !== null);
    const html = (hasShadow ? flatten(document.documentElement) : document.documentElement).outerHTML;
    return html.length > ${maxChars} ? null : '<!doctype html>' + html;

    function flatten(root) {
      const inert = document.implementation.createHTMLDocument('');
      const top = inert.importNode(root, false);
      const pending = childrenOf(root).reverse().map((child) => [child, top]);
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        const [node, parent] = next;
        if (node.nodeType === 1 && (node.localName === 'style' || node.matches(DROPPED))) continue;
        const copy = node.localName === 'slot' ? parent : inert.importNode(node, false);
        if (copy !== parent) parent.appendChild(copy);
        for (const child of childrenOf(node).reverse()) pending.push([child, copy]);
      }
      return top;
    }

    function childrenOf(node) {
      if (node.nodeType !== 1) return [];
      if (node.shadowRoot) return [...node.shadowRoot.childNodes];
      const assigned = node.localName === 'slot' && node.assignedNodes ? node.assignedNodes() : [];
      return assigned.length > 0 ? assigned : [...node.childNodes];
    }
  })()`;
}
