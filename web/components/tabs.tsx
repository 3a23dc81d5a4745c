// Tabs following the ARIA pattern: arrow keys move between them, and only the selected panel is in the DOM.

import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';

export interface Tab {
  readonly name: string;
  readonly label: ReactNode;
  readonly panel: () => ReactNode;
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }): ReactNode {
  const id = useId();
  const [open, setOpen] = useState(tabs[0]?.name ?? '');
  const at = Math.max(
    0,
    tabs.findIndex(({ name }) => name === open),
  );
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    setOpen(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  };
  return (
    <div className="stack" style={{ gap: '1.25rem' }}>
      <div className="tabs" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={move}>
        {tabs.map(({ name, label: text }, index) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setOpen(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div className="stack" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs[at]?.name}`}>
        {tabs[at]?.panel()}
      </div>
    </div>
  );
}
