// Raised inside a connection attempt when the guard says no. It never leaves this folder: it becomes an outcome.

export class GuardRefusal extends Error {
  override readonly name = 'GuardRefusal';
  readonly code = 'PINAKES_GUARD';
  readonly rule: string;

  constructor(rule: string) {
    super(`refused by the rule ${rule}`);
    this.rule = rule;
  }
}
