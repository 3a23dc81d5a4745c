// A package folder as its readers see it: what the manifest says, which files there are, and their texts.

/** Where a package comes from; it decides which reader applies. */
export const READER_ECOSYSTEMS = ['npm', 'python', 'rust', 'go'] as const;
export type ReaderEcosystem = (typeof READER_ECOSYSTEMS)[number];

/** `path` is relative to the folder, with slashes. */
export interface PackageFile {
  readonly path: string;
  readonly size: number;
}

export interface PackageManifest {
  readonly ecosystem: ReaderEcosystem;
  readonly name: string;
  readonly version: string;
  /** Fields of package.json, as parsed; empty for other ecosystems. Hostile: each field may have any type. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * The files do not include those of packages inside the folder. For Python the folder is site-packages, and the files are those
 * that the package installed there.
 */
export interface PackageFolder {
  readonly manifest: PackageManifest;
  readonly files: readonly PackageFile[];
  /** Undefined if the file cannot be read. Only called with a path of `files`. */
  readonly read: (path: string) => string | undefined;
}
