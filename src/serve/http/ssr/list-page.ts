// One renderer for every list: a table, its filters as a form, and the way to the pages next to it.

import { html, link, pathWith, type Content, type Html } from './html.ts';

export interface ListColumn<Item> {
  readonly head: string;
  readonly cell: (item: Item) => Content;
}

export interface ListFilter {
  readonly name: string;
  readonly label: string;
  /** The values to choose from; any text without them. */
  readonly options?: readonly string[];
}

/** Queries of the neighbouring pages; null where there is none. */
export interface ListPager {
  readonly newer: Readonly<Record<string, number>> | null;
  readonly older: Readonly<Record<string, number>> | null;
}

export interface ListView<Item> {
  readonly path: string;
  readonly columns: ReadonlyArray<ListColumn<Item>>;
  readonly filters: readonly ListFilter[];
  readonly items: readonly Item[];
  readonly pager: ListPager;
  /** The values of the filters, by their names. */
  readonly values: Readonly<Record<string, string>>;
}

export function listView<Item>({ path, columns, filters, items, pager, values }: ListView<Item>): Html {
  const pages = html`<div class="pager">
    ${[
      link(pathWith(path, values), 'Latest'),
      ...(pager.newer === null ? [] : [html` ${link(pathWith(path, { ...values, ...pager.newer }), '← Newer')}`]),
      ...(pager.older === null ? [] : [html` ${link(pathWith(path, { ...values, ...pager.older }), 'Older →')}`]),
    ]}
  </div>`;
  return html`${filters.length === 0 ? null : filterForm(path, filters, values)} ${pages}
    <table>
      <thead>
        <tr>
          ${columns.map(({ head }) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${items.map(
          (item) =>
            html`<tr>
              ${columns.map(({ cell }) => html`<td>${cell(item)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
    ${items.length === 0 ? html`<p>Nothing to show.</p>` : null} ${pages}`;
}

function filterForm(path: string, filters: readonly ListFilter[], values: ListView<never>['values']): Html {
  const fields = filters.map(({ name, label, options }) => {
    const value = values[name] ?? '';
    return html`<label
      >${label} ${options === undefined ? textField(name, value) : selection(name, value, options)}</label
    >`;
  });
  return html`<form method="get" action="${path}">${fields}<button type="submit">Filter</button></form>`;
}

function textField(name: string, value: string): Html {
  return html`<input name="${name}" value="${value}" />`;
}

function selection(name: string, value: string, options: readonly string[]): Html {
  const choices = ['', ...options].map((option) =>
    option === value
      ? html`<option value="${option}" selected>${option === '' ? 'any' : option}</option>`
      : html`<option value="${option}">${option === '' ? 'any' : option}</option>`,
  );
  return html`<select name="${name}">
    ${choices}
  </select>`;
}
