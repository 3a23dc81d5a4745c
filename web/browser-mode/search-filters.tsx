// The filters of a search: those of the command line, by the same names.

import type { ReactNode } from 'react';
import { FILE_KINDS, type FileKind } from '../../src/core/files/file-kind.ts';
import type { BrowserFilter } from './browser-library.ts';

export interface SearchFiltersProps {
  readonly filter: BrowserFilter;
  readonly onChange: (filter: BrowserFilter) => void;
}

const KIND_LABELS: Readonly<Record<FileKind, string>> = {
  markdown: 'Markdown',
  json: 'JSON',
  java_script: 'JavaScript, TypeScript',
  html: 'HTML',
  text: 'Text',
  image: 'Image',
  unknown: 'Other',
};

const TEXT_FIELDS = [
  { name: 'path', label: 'Path', placeholder: 'guides/' },
  { name: 'heading', label: 'Heading', placeholder: 'Install' },
  { name: 'symbol', label: 'Symbol', placeholder: 'parseUrl' },
] as const;

export function isFiltered(filter: BrowserFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== '');
}

export function SearchFilters({ filter, onChange }: SearchFiltersProps): ReactNode {
  return (
    <fieldset className="search-filters" aria-label="Filters">
      <label>
        <span>Kind of file</span>
        <select
          className="input"
          value={filter.fileKind ?? ''}
          onChange={(event) => onChange({ ...filter, fileKind: event.target.value as FileKind | '' })}
        >
          <option value="">Any</option>
          {FILE_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_LABELS[kind]}
            </option>
          ))}
        </select>
      </label>
      {TEXT_FIELDS.map(({ name, label, placeholder }) => (
        <label key={name}>
          <span>{label}</span>
          <input
            className="input"
            type="text"
            placeholder={placeholder}
            value={filter[name] ?? ''}
            onChange={(event) => onChange({ ...filter, [name]: event.target.value })}
          />
        </label>
      ))}
    </fieldset>
  );
}
