// Copies a text to the clipboard. Browsers allow it only on secure pages: elsewhere there is no button.

import { useState, type ReactNode } from 'react';

const SHOWN_MS = 2000;

export function CopyButton({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  const [isCopied, setIsCopied] = useState(false);
  if (!window.isSecureContext) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), SHOWN_MS);
  };
  return (
    <button className="copy small" type="button" onClick={() => void copy()}>
      {isCopied ? 'Copied' : `Copy ${what}`}
    </button>
  );
}
