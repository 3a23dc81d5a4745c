// Where help shows each command of the program, by its first word. A word that is not here, as `help`, comes last.

export const COMMAND_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Fill the library:': ['add', 'plan', 'preview', 'recrawl', 'edit', 'remove', 'import', 'sources', 'presets'],
  'Ask it:': ['search', 'read', 'list', 'outline', 'symbols', 'export'],
  'Look at a page:': ['pages', 'page', 'linking', 'history', 'body'],
  'Watch the crawls:': ['status', 'events', 'problems', 'urls', 'pause', 'resume', 'stop'],
  'Serve others:': ['setup', 'mcp', 'serve', 'worker', 'token'],
  'Keep it well:': ['doctor', 'health', 'verify', 'reindex', 'backup', 'restore', 'model', 'config', 'completion'],
};
