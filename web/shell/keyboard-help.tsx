// The keyboard shortcuts, in a dialog that `?` opens.

import { useEffect, useRef, type ReactNode } from 'react';

const SHORTCUTS: ReadonlyArray<readonly [keys: string, effect: string]> = [
  ['?', 'Show these keys'],
  ['Ctrl K', 'Go to a view, a source or a run'],
  ['/', 'Search'],
  ['a', 'Add a source'],
  ['g s', 'Go to sources'],
  ['g r', 'Go to runs'],
  ['g t', 'Go to history'],
  ['g l', 'Go to the library'],
  ['← →', 'Move between the tabs of a view'],
  ['Tab', 'Move to the next link, field or button'],
  ['Esc', 'Close a dialog'],
];

export function KeyboardHelp({ onClose }: { readonly onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="palette keyboard-help" aria-labelledby="keyboard-help" onClose={onClose}>
      <h2 id="keyboard-help">Keyboard</h2>
      <dl className="pairs">
        {SHORTCUTS.map(([keys, effect]) => (
          <div key={keys} className="pair">
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button className="button" type="submit">
          Close
        </button>
      </form>
    </dialog>
  );
}
