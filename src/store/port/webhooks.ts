// Webhooks: where changes are sent, and the delivery position of each.

export interface Webhook {
  readonly name: string;
  readonly url: string;
  /** Only changes of this source; null for all. */
  readonly source: string | null;
  /** Everything up to this position of the changes was delivered. */
  readonly position: number;
  /** `disabled` by a receiver that wants no more messages, or by a restore. */
  readonly state: 'active' | 'disabled';
  readonly createdAt: Date;
  /** When a message was last accepted. */
  readonly deliveredAt: Date | null;
  /** Failed attempts since then. */
  readonly failures: number;
  readonly failingSince: Date | null;
  /** Why the last attempt failed. */
  readonly lastFailure: string | null;
  /** When the next attempt is due. */
  readonly dueAt: Date;
}

/** One process delivers to a webhook at a time. What it saves with a lease that another process has taken over changes nothing. */
export interface WebhookLease {
  readonly id: number;
  readonly worker: string;
  readonly fence: number;
  readonly hook: Webhook;
  readonly secret: string;
  /** The last change of a message that was sent and not confirmed. It is sent again as it was, so that the receiver recognizes it. */
  readonly messageEnd: number | null;
}

export interface NewWebhook {
  readonly name: string;
  readonly url: string;
  readonly source: string | null;
  readonly secret: string;
  /** Changes after it are delivered. */
  readonly position: number;
}

export interface Webhooks {
  /** A name that is in use raises `webhook.exists`. */
  add(hook: NewWebhook): Promise<Webhook>;
  list(): Promise<readonly Webhook[]>;
  /** False if there is no such webhook. */
  remove(name: string): Promise<boolean>;
  /** Null if there is no such webhook. */
  secretOf(name: string): Promise<string | null>;
  /** Delivers at once again, after a disabled or failing one was found to work. */
  enable(name: string): Promise<void>;
  /** Whether one that does not fail has changes to deliver. */
  areDue(): Promise<boolean>;
  /** The webhook that is due longest among those with changes to deliver, for so long; null if there is none. */
  lease(worker: string, leaseMs: number): Promise<WebhookLease | null>;
  /** Saves what is about to be sent, and extends the lease. False if the lease is lost: then nothing may be sent. */
  begin(lease: WebhookLease, messageEnd: number, leaseMs: number): Promise<boolean>;
  /** Everything up to the position was accepted, or did not concern the webhook. False if the lease is lost. */
  deliver(lease: WebhookLease, position: number, wasSent: boolean): Promise<boolean>;
  /** Ends the lease; the next attempt is due after so long. */
  fail(lease: WebhookLease, reason: string, retryInMs: number): Promise<void>;
  /** Ends the lease for good, until the webhook is enabled. */
  disable(lease: WebhookLease, reason: string): Promise<void>;
  release(lease: WebhookLease): Promise<void>;
}
