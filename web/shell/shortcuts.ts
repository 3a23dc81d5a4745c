// Global keyboard shortcuts. Single letters are ignored while the user is typing and in combination with Ctrl, Alt or Cmd.

import { useEffect } from 'react';

/** Keys; a sequence is separated by a space: `g s`. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const SEQUENCE_TIMEOUT_MS = 1200;

export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    let previous = { key: '', at: 0 };
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey);
      if (!isPalette && (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target))) return;
      const sequence = event.timeStamp - previous.at < SEQUENCE_TIMEOUT_MS ? `${previous.key} ${event.key}` : '';
      const name = isPalette ? 'palette' : sequence in shortcuts ? sequence : event.key;
      previous = { key: event.key, at: event.timeStamp };
      const run = shortcuts[name];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [shortcuts]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
