// Files that are never documentation, in any folder. A `.pinakesignore` can include them again with `!name/`.

export const DEFAULT_IGNORES: readonly string[] = [
  'node_modules/',
  'bower_components/',
  '__pycache__/',
  '*.min.js',
  '*.min.css',
  '*.map',
  'package-lock.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'Cargo.lock',
  'poetry.lock',
  'go.sum',
];
