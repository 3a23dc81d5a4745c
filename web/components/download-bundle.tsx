// A button that downloads a source as a bundle. Without a token it is a plain download link; with one, the file is fetched with
// the token first.

import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { downloadFile, hasToken } from '../api/client.ts';

export function DownloadBundle({
  source,
  isCompact,
}: {
  readonly source: string;
  readonly isCompact: boolean;
}): ReactNode {
  const path = `/sources/${encodeURIComponent(source)}/export?compact=${isCompact}`;
  const label = isCompact ? 'Download compact bundle' : 'Download bundle';
  const save = useMutation({ mutationFn: () => downloadFile(path, `${source}.zip`) });
  if (!hasToken())
    return (
      <a className="button" href={`/api${path}`} download>
        {label}
      </a>
    );
  return (
    <>
      {save.error !== null && <span role="alert">{save.error.message}</span>}
      <button className="button" type="button" disabled={save.isPending} onClick={() => save.mutate()}>
        {save.isPending ? 'Downloading…' : label}
      </button>
    </>
  );
}
