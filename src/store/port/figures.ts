// How much is stored.

import type { VersionId } from '../../core/model/run.ts';
import type { SpaceProgress } from './vectors.ts';

export interface SpaceFigures extends SpaceProgress {
  readonly fingerprint: string;
  readonly dimensions: number;
}

export interface VersionFigures {
  readonly version: VersionId;
  readonly pages: number;
  /** Pages with the same content as another one, folded into it. */
  readonly duplicates: number;
  readonly chunks: number;
  /** When the page that was not looked at for longest was last found current. */
  readonly oldestCheckAt: Date;
  readonly newestCheckAt: Date;
  /** When a page last changed. */
  readonly changedAt: Date;
}

/** Read off the pages, so they cost a pass over all of them. */
export interface Figures {
  /** Versions without a page are left out. */
  versions(): Promise<readonly VersionFigures[]>;
  /** Of the database on its disk. */
  bytes(): Promise<number>;
  /** Each space of vectors with what is done and what waits in it. */
  spaces(): Promise<readonly SpaceFigures[]>;
}
