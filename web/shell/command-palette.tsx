// One field from which every place and every command is reached. Shown as a dialog; the list follows the words.

import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

export interface Command {
  readonly name: string;
  readonly hint: string;
  readonly run: () => void;
}

export interface PaletteProps {
  readonly commands: readonly Command[];
  /** What to do with words that are no command. */
  readonly onSearch: (words: string) => void;
  readonly onClose: () => void;
}

const MOST = 50;

export function CommandPalette({ commands, onSearch, onClose }: PaletteProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  useEffect(() => dialog.current?.showModal(), []);
  const asked = words.trim();
  const fitting = commands.filter(({ name }) => fits(name, asked)).slice(0, MOST);
  const find = { name: `Search the library for “${asked}”`, hint: 'search', run: () => onSearch(asked) };
  const shown = asked === '' ? fitting : [...fitting, find];
  const choose = (command: Command | undefined): void => {
    onClose();
    command?.run();
  };
  const pressed = (event: KeyboardEvent): void => {
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
        aria-label="Go to, or search"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${at}` : undefined}
        placeholder="Go to, or search"
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setAt(0);
        }}
        onKeyDown={pressed}
      />
      <div role="listbox" id={`${id}-list`} aria-label="Commands">
        {shown.map((command, index) => (
          <Option
            key={`${command.name} ${command.hint}`}
            id={`${id}-${index}`}
            isChosen={index === at}
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
  readonly isChosen: boolean;
  readonly command: Command;
  readonly choose: (command: Command) => void;
}

function Option({ id, isChosen, command, choose }: OptionProps): ReactNode {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div ref={option} id={id} role="option" aria-selected={isChosen} tabIndex={-1} onMouseDown={() => choose(command)}>
      <span className="cut">{command.name}</span>
      <span className="hint">{command.hint}</span>
    </div>
  );
}

/** Every word is the beginning of some word of the name, in any order. */
function fits(name: string, words: string): boolean {
  const parts = name.toLowerCase().split(/[\s/.:-]+/);
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.toLowerCase().includes(word) || parts.some((part) => part.startsWith(word)));
}
