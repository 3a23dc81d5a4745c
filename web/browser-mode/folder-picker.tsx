// Where a folder is dropped or picked. The file field is there for every browser; the picker where there is one.

import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { chosenFiles, droppedFolder, folderPicker, type Chosen } from '../local/choose-folder.ts';

export function DropZone({ onChosen }: { readonly onChosen: (chosen: Chosen) => void }): ReactNode {
  const [isOver, setIsOver] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const pick = async (): Promise<void> => {
    const picker = folderPicker();
    if (picker === null) field.current?.click();
    else await picker().then(onChosen, () => undefined);
  };
  const drop = async (event: DragEvent): Promise<void> => {
    event.preventDefault();
    setIsOver(false);
    const chosen = await droppedFolder(event.dataTransfer.items);
    if (chosen !== null) onChosen(chosen);
  };
  return (
    <section
      className="drop"
      aria-label="Choose a folder"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => void drop(event)}
    >
      <h2>Drop a folder of documentation here</h2>
      <p>
        Markdown, HTML, notebooks, OpenAPI, source code. It is read, cut and indexed in this page, by the code of the
        program, and gives the same bundle as the command line, to the byte.
      </p>
      <button className="button first" type="button" onClick={() => void pick()}>
        Choose a folder
      </button>
      <input
        ref={(element) => {
          element?.setAttribute('webkitdirectory', '');
          field.current = element;
        }}
        className="visually-hidden"
        type="file"
        aria-label="A folder"
        tabIndex={-1}
        onChange={({ target: { files } }) => {
          if (files !== null && files.length > 0) onChosen(chosenFiles(files));
        }}
      />
    </section>
  );
}
