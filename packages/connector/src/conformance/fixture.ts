import type { Ref, TaskAccount } from '../define.ts';

/** A second way to look at the external system, so that a connector cannot vouch for itself. */
export type Witness = {
  exists(id: string): Promise<boolean>;
  suspended?(id: string): Promise<boolean>;
  /** Whether the account has been granted that group or license. */
  holds?(id: string, slug: string, ref: string): Promise<boolean>;
  /** Whether the password opens the account. */
  signsIn?(account: TaskAccount, password: string): Promise<boolean>;
};

/** A system to test on. Whatever is left out is skipped, with a reason. */
export type Stage = {
  /** Settings of the connector, by name. */
  settings: Record<string, unknown>;
  /** The same, with credentials that may read but not write. */
  weakSettings?: Record<string, unknown>;
  /** The slug of the account type that tasks are about, when there are several. */
  accountType?: string;
  /** The `n`th account to create: not there yet. Its id means nothing to the system. */
  newAccount?(n: number): TaskAccount;
  /** Two things that accounts can be granted, best of the same slug. */
  grants?: { slug: string; ref: Ref }[];
  witness?: Witness;
  /** Makes the system fail; answers with what repairs it. */
  outage?(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
};

/** What a connector's conformance file exports as `fixture`. */
export type Fixture = { start(): Promise<Stage> };
