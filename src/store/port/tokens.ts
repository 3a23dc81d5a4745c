// Who may use the program, and for what.

export interface AccessToken {
  readonly name: string;
  readonly scope: 'read' | 'admin';
  /** SHA-256 of the token, in hex. The token itself is never kept. */
  readonly hash: string;
  readonly createdAt: Date;
}

export interface Tokens {
  /** A taken name raises `token.exists`. */
  add(token: Omit<AccessToken, 'createdAt'>): Promise<void>;
  list(): Promise<readonly AccessToken[]>;
  /** False where there is no such token. */
  revoke(name: string): Promise<boolean>;
}
