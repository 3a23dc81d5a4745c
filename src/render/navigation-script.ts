// Opens the collapsed parts of a page's navigation, for the links in them: many menus have the links of their open part only. Text
// that runs inside the page, as in page-script.ts.

/** Entries that are opened, and how deep they may be nested. */
const MAX_CLICKS = 2000;
const MAX_ROUNDS = 8;
/** Links that are taken, of at most so many characters each. */
const MAX_LINKS = 5000;
const MAX_LINK_CHARS = 2000;
/** How long the document has to be at rest after a click. */
const QUIET_MS = 100;

/** Buttons of a menu that say they are collapsed; those with a pop-up open something else, and those of a form may send it. */
const COLLAPSED = ['nav', '[role="navigation"]', '[role="tree"]']
  .map((menu) => `${menu} [aria-expanded="false"]:not([aria-haspopup], a[href], form *, input, select, [disabled])`)
  .join(', ');
const MENU_LINKS = 'nav a[href], [role="navigation"] a[href], [role="tree"] a[href]';

/**
 * The links of the opened navigation to other URLs of the origin, as HTML of one `nav`; an empty string if nothing was
 * collapsed. The clicks may change the page, so its document is taken before.
 */
export function openNavigation(limitMs: number): string {
  return `(async () => {
    const end = performance.now() + ${limitMs};
    const clicked = new WeakSet();
    const links = new Map();
    let changedAt = 0, clicks = 0;
    const observer = new MutationObserver(() => { changedAt = performance.now(); });
    observer.observe(document, { childList: true, subtree: true });
    for (let round = 0; round < ${MAX_ROUNDS} && performance.now() < end; round += 1) {
      const buttons = [...document.querySelectorAll(${JSON.stringify(COLLAPSED)})].filter((button) => !clicked.has(button));
      if (buttons.length === 0) break;
      for (const button of buttons) {
        if (clicks >= ${MAX_CLICKS} || performance.now() > end) break;
        clicks += 1;
        clicked.add(button);
        button.click();
      }
      await untilStill();
      for (const link of document.querySelectorAll(${JSON.stringify(MENU_LINKS)})) add(link);
    }
    observer.disconnect();
    return links.size === 0 ? '' : menuOf(links);

    async function untilStill() {
      changedAt = performance.now();
      while (performance.now() - changedAt < ${QUIET_MS} && performance.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 20));
    }

    function add(link) {
      const { href } = link;
      if (links.size < ${MAX_LINKS} && href.length <= ${MAX_LINK_CHARS} && link.origin === location.origin && !links.has(href))
        links.set(href, link);
    }

    function menuOf(links) {
      const inert = document.implementation.createHTMLDocument('');
      const menu = inert.createElement('nav');
      for (const [href, { rel, textContent }] of links) {
        const copy = menu.appendChild(inert.createElement('a'));
        copy.href = href;
        if (rel) copy.rel = rel;
        copy.textContent = textContent.trim().slice(0, 200);
      }
      return menu.outerHTML;
    }
  })()`;
}
