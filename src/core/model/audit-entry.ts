// One call in the audit log: who called what, about which source, with which outcome.

export interface AuditEntry {
  /** The name of a token; null for the owner of the library, who needs none. */
  readonly principal: string | null;
  readonly via: 'http' | 'mcp' | 'local';
  readonly action: string;
  /** The source that the call named; null if it named none. A source of this name may never have existed. */
  readonly source: string | null;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  readonly requestId: string | null;
  /** The text of a search, if a setting enables it; otherwise null. */
  readonly query: string | null;
}

export interface AuditSettings {
  /** Whether calls that only read are recorded too. */
  readonly reads: boolean;
  /** Whether the text of a query is recorded. */
  readonly queries: boolean;
}

/** Records entries. */
export interface AuditSink {
  readonly settings: AuditSettings;
  /** Resolves once the entry is stored, or, if that failed, written to the log. */
  readonly record: (entry: AuditEntry) => Promise<void>;
}
