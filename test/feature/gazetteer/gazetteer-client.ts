// A client of the gazetteer, written from the names of its routes and fields alone: it knows no code of the program. It rejects answers
// with other fields or other types.

export interface PlaceAnswer {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly country_code: string | null;
  readonly population: number | null;
}

export interface PlaceDetailsAnswer {
  readonly place: PlaceAnswer;
  readonly names: ReadonlyArray<{ readonly name: string }>;
  readonly parents: readonly PlaceAnswer[];
  readonly children: readonly PlaceAnswer[];
}

export function createGazetteerClient(server: string) {
  const get = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
    const response = await fetch(`${server}/api/gazetteer/${path}`);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const ok = async (path: string): Promise<Record<string, unknown>> => {
    const { status, body } = await get(path);
    if (status !== 200) throw new Error(`${path} answers ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    async summary(): Promise<Readonly<Record<string, number>>> {
      const counts = await ok('summary');
      for (const name of ['countries', 'regions', 'cities', 'names', 'hubs'])
        if (!Number.isInteger(counts[name])) throw new Error(`the summary has no number ${name}`);
      return counts as Record<string, number>;
    },
    async places(query = ''): Promise<{ total: number; rows: readonly PlaceAnswer[] }> {
      const { total, rows, ...others } = await ok(`places${query}`);
      if (!Number.isInteger(total) || !Array.isArray(rows) || Object.keys(others).length > 0)
        throw new Error('the list is not { total, rows }');
      return { total: total as number, rows: rows.map(placeOf) };
    },
    async place(id: number): Promise<PlaceDetailsAnswer> {
      const { place, names, parents, children, hubs, size_bytes: bytes, size_method: method } = await ok(`place/${id}`);
      if (!Number.isInteger(bytes) || typeof method !== 'string') throw new Error('the place has no size');
      if (![names, parents, children, hubs].every(Array.isArray))
        throw new Error('names, parents, children and hubs are lists');
      return {
        place: placeOf(place),
        names: names as Array<{ name: string }>,
        parents: (parents as unknown[]).map(placeOf),
        children: (children as unknown[]).map(placeOf),
      };
    },
    status: async (path: string): Promise<{ status: number; text: string }> => {
      const { status, body } = await get(path);
      return { status, text: JSON.stringify(body) };
    },
    resolve: async (query: string): Promise<readonly PlaceAnswer[]> => {
      const { candidates } = await ok(`resolve${query}`);
      return (candidates as unknown[]).map(placeOf);
    },
    hubs: async (query = ''): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> => {
      const { hubs } = await ok(`hubs${query}`);
      for (const hub of hubs as object[])
        for (const name of [
          'host',
          'url',
          'place_slug',
          'place_kind',
          'topic_slug',
          'topic_label',
          'topic_kind',
          'evidence',
        ])
          if (!(name in hub)) throw new Error(`a hub has no ${name}`);
      return hubs as Array<Record<string, unknown>>;
    },
    articles: async (id: number): Promise<unknown> => (await ok(`articles?id=${id}`))['pages'],
    async page(query = ''): Promise<string> {
      const response = await fetch(`${server}/gazetteer${query}`);
      if (response.status !== 200) throw new Error(`/gazetteer answers ${response.status}`);
      return response.text();
    },
  };
}

function placeOf(value: unknown): PlaceAnswer {
  const place = value as PlaceAnswer;
  const { id, name, kind, country_code: country, population } = place;
  const isText = (field: unknown): boolean => typeof field === 'string' && field !== '';
  if (!Number.isInteger(id) || !isText(name) || !isText(kind)) throw new Error(`no place: ${JSON.stringify(value)}`);
  if (country !== null && !isText(country)) throw new Error(`country_code of ${name}`);
  if (population !== null && !Number.isInteger(population)) throw new Error(`population of ${name}`);
  return place;
}
