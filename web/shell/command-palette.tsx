// The command palette: one input that reaches every view and command. A dialog whose list is filtered as the user types.

import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

export interface Command {
  readonly name: string;
  readonly hint: string;
  readonly run: () => void;
}

export interface PaletteProps {
  readonly commands: readonly Command[];
  /** Searches for text that does not match a command. */
  readonly onSearch: (query: string) => void;
  readonly onClose: () => void;
}

const MAX_COMMANDS = 50;

export function CommandPalette({ commands, onSearch, onClose }: PaletteProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  useEffect(() => dialog.current?.showModal(), []);
  const query = text.trim();
  const matching = commands.filter(({ name }) => matchesQuery(name, query)).slice(0, MAX_COMMANDS);
  const searchCommand = { name: `Search the library for “${query}”`, hint: 'search', run: () => onSearch(query) };
  const shown = query === '' ? matching : [...matching, searchCommand];
  const choose = (command: Command | undefined): void => {
    onClose();
    command?.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt((at + step + shown.length) % Math.max(1, shown.length));
    else if (event.key === 'Enter') choose(shown[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} className="palette" aria-label="Commands" onClose={onClose}>
      <input
        role="combobox"
        aria-label="Go to or search"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${at}` : undefined}
        placeholder="Go to or search"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={`${id}-list`} aria-label="Commands">
        {shown.map((command, index) => (
          <Option
            key={`${command.name} ${command.hint}`}
            id={`${id}-${index}`}
            isActive={index === at}
            command={command}
            choose={choose}
          />
        ))}
      </div>
    </dialog>
  );
}

interface OptionProps {
  readonly id: string;
  readonly isActive: boolean;
  readonly command: Command;
  readonly choose: (command: Command) => void;
}

function Option({ id, isActive, command, choose }: OptionProps): ReactNode {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <div ref={option} id={id} role="option" aria-selected={isActive} tabIndex={-1} onMouseDown={() => choose(command)}>
      <span className="truncate">{command.name}</span>
      <span className="hint">{command.hint}</span>
    </div>
  );
}

/** Every word of the query occurs in the name, in any order. */
function matchesQuery(name: string, query: string): boolean {
  const parts = name.toLowerCase().split(/[\s/.:-]+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.toLowerCase().includes(word) || parts.some((part) => part.startsWith(word)));
}
