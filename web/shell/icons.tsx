// The few pictures of the rail: strokes of one width on a grid of 16.

import type { ReactNode } from 'react';

const PATHS = {
  sources: 'M3 2.5h3v11H3zM6 2.5h3v11H6zM10 3.2l2.8-.7 2.2 10.4-2.8.6z',
  runs: 'M8 2.2a5.8 5.8 0 1 0 5.8 5.8M8 4.8V8l2.4 1.6M10.6 2.8l3.2.2-.4 3.2',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 14 14',
  health: 'M1.5 8.5h3l1.7-4.6 3 8.2 1.8-4.6h3.5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} strokeLinecap="round" />
    </svg>
  );
}
