// The groups in which help lists the commands, by their first word. Any other word, such as `help`, comes last.

export const COMMAND_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Index:': ['add', 'plan', 'preview', 'recrawl', 'edit', 'remove', 'import', 'sources', 'presets'],
  'Search:': ['search', 'read', 'list', 'outline', 'symbols', 'export', 'sink', 'load', 'agents-md', 'llms-txt'],
  'Inspect:': ['pages', 'page', 'chunks', 'vectors', 'backlinks', 'history', 'body', 'changes'],
  'Monitor runs:': [
    'status',
    'events',
    'problems',
    'milestones',
    'errors',
    'samples',
    'hosts',
    'urls',
    'pause',
    'resume',
    'stop',
  ],
  'Serve:': ['setup', 'mcp', 'serve', 'worker', 'token', 'webhooks'],
  'Maintain:': [
    'doctor',
    'health',
    'system-health',
    'verify',
    'reindex',
    'backup',
    'restore',
    'model',
    'config',
    'completion',
  ],
};
