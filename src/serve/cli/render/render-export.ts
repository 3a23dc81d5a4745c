// What was exported, for a person at a terminal. Secrets come first: nobody reads below a success.

export interface ExportAnswer {
  readonly out: string;
  readonly source: string;
  readonly indexId: string;
  readonly files: number;
  readonly chunks: number;
  readonly tokens: number;
  readonly bytes: number;
  readonly secrets: {
    readonly found: number;
    readonly places: ReadonlyArray<{ readonly rule: string; readonly path: string; readonly line: number }>;
  };
}

export function renderExport(answer: ExportAnswer): string {
  const { out, source, indexId, files, chunks, tokens, bytes } = answer;
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${warning(answer)}Exported ${source} to ${out}\n  ${files} files, ${chunks} chunks, about ${tokens} tokens; ${size}\n  index ${indexId}\n`;
}

function warning({ secrets: { found, places } }: ExportAnswer): string {
  if (found === 0) return '';
  const shown = places.map(({ rule, path, line }) => `  ${path}:${line} (${rule})\n`).join('');
  const more = found > places.length ? `  and ${found - places.length} more\n` : '';
  return `Warning: the export holds what looks like ${found === 1 ? 'a secret' : `${found} secrets`}. Look before you pass it on.\n${shown}${more}`;
}
