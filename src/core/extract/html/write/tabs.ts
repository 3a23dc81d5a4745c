// Tabs: every panel is kept, including those shown only after a click, each under the label of its tab.

import { find, walk, type ElementNode } from '../parse/html-node.ts';
import { flag } from '../parse/node-flags.ts';
import { elementText } from './element-text.ts';

/** Labels of the panels of a page, matched by id or by order. */
export type TabLabels = ReadonlyMap<ElementNode, string>;

interface TabParts {
  readonly panels: ElementNode[];
  readonly tabs: ElementNode[];
}

/** Tabs further away from a panel belong to something else. */
const MAX_STEPS_UP = 4;

/** Finds the labels of all tab panels of a page. */
export function tabLabels(root: ElementNode): TabLabels {
  const labels = new Map<ElementNode, string>();
  if ((root.flags & flag.hasTabPanel) === 0) return labels;
  const cache = new Map<ElementNode, TabParts>();
  walk(root, (node) => {
    if (isPanel(node)) labels.set(node, labelOf(node, cache));
    return (node.flags & flag.hasTabPanel) !== 0 || ((node.parent?.flags ?? 0) & flag.codeGroup) !== 0;
  });
  return labels;
}

/** The tabs of a panel are in the nearest ancestor that has any. */
function labelOf(panel: ElementNode, cache: Map<ElementNode, TabParts>): string {
  let scope = panel.parent;
  for (let step = 0; step < MAX_STEPS_UP && scope !== null; step += 1) {
    const parts = cache.get(scope) ?? partsOf(scope);
    cache.set(scope, parts);
    if (parts.tabs.length > 0) {
      const byOrder = parts.tabs.length === parts.panels.length ? parts.tabs[parts.panels.indexOf(panel)] : undefined;
      const tab = tabOf(panel, parts.tabs) ?? byOrder;
      return tab === undefined ? (panel.attributes['aria-label'] ?? '') : elementText(tab);
    }
    scope = scope.parent;
  }
  return panel.attributes['data-label'] ?? panel.attributes['aria-label'] ?? '';
}

function partsOf(scope: ElementNode): TabParts {
  const parts: TabParts = { panels: [], tabs: [] };
  for (const child of scope.children) if (child.kind === 'element') walk(child, (node) => collectTab(node, parts));
  return parts;
}

function collectTab(node: ElementNode, parts: TabParts): boolean {
  if (isPanel(node)) parts.panels.push(node);
  else if (isTab(node)) parts.tabs.push(node);
  else return true;
  return false;
}

export function isPanel(node: ElementNode): boolean {
  if (node.attributes['role'] === 'tabpanel' || (node.flags & flag.tabPanel) !== 0) return true;
  const group = node.parent?.parent;
  return ((group?.flags ?? 0) & flag.codeGroup) !== 0 && (node.flags & flag.hasPre) !== 0;
}

export function isTab(node: ElementNode): boolean {
  if (node.attributes['role'] === 'tab' || (node.flags & flag.tabLabel) !== 0) return true;
  if (node.tag !== 'label') return false;
  return (((node.parent?.flags ?? 0) & flag.tabList) | ((node.parent?.parent?.flags ?? 0) & flag.codeGroup)) !== 0;
}

/** Whether an element contains only the labels of tabs, which are written with their panels. */
export function isTabList(node: ElementNode): boolean {
  if (node.attributes['role'] === 'tablist' || isTab(node)) return true;
  const holdsLabels = ((node.flags & flag.tabList) | ((node.parent?.flags ?? 0) & flag.codeGroup)) !== 0;
  return holdsLabels && (node.flags & (flag.hasTabPanel | flag.hasPre)) === 0 && find(node, isTab) !== null;
}

function tabOf(panel: ElementNode, tabs: readonly ElementNode[]): ElementNode | undefined {
  const id = panel.attributes['id'];
  const labelledBy = panel.attributes['aria-labelledby'];
  return tabs.find((tab) => {
    if (labelledBy !== undefined && tab.attributes['id'] === labelledBy) return true;
    if (id === undefined) return false;
    return tab.attributes['aria-controls'] === id || tab.attributes['href'] === `#${id}`;
  });
}
