// Keys that work everywhere. Single letters do nothing while somebody writes, and nothing beside Ctrl, Alt or Cmd.

import { useEffect } from 'react';

/** Keys, separated by a blank where one follows the other: `g s`. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const FOLLOWS_WITHIN_MS = 1200;

export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    let before = { key: '', at: 0 };
    const pressed = (event: KeyboardEvent): void => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey);
      if (!isPalette && (event.metaKey || event.ctrlKey || event.altKey || isWriting(event.target))) return;
      const both = event.timeStamp - before.at < FOLLOWS_WITHIN_MS ? `${before.key} ${event.key}` : '';
      const name = isPalette ? 'palette' : both in shortcuts ? both : event.key;
      before = { key: event.key, at: event.timeStamp };
      const run = shortcuts[name];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [shortcuts]);
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
