import type { Ref, TaskAccount } from '../define.ts';

/** An independent way to inspect the external system, so that a connector cannot vouch for itself. */
export type Witness = {
  exists(id: string): Promise<boolean>;
  suspended?(id: string): Promise<boolean>;
  /** True if the account has the group or license. */
  holds?(id: string, slug: string, ref: string): Promise<boolean>;
  /** True if the account can sign in with the password. */
  signsIn?(account: TaskAccount, password: string): Promise<boolean>;
};

/** A system to test on. Checks that need a missing part are skipped with a reason. */
export type Stage = {
  /** Settings of the connector, by name. */
  settings: Record<string, unknown>;
  /** Settings with credentials that may read but not write. */
  weakSettings?: Record<string, unknown>;
  /** The slug of the account type for tasks, if there are several. */
  accountType?: string;
  /** Returns the `n`th account to create. It does not exist yet, and its id is not an id of the system. */
  newAccount?(n: number): TaskAccount;
  /** Two groups or licenses that accounts can get, preferably of the same slug. */
  grants?: { slug: string; ref: Ref }[];
  witness?: Witness;
  /** Makes the system fail. Returns a function that repairs it. */
  outage?(): Promise<() => Promise<void>>;
  /** Makes the system leave out who is in which group, while it still lists accounts. Returns a function that repairs it. */
  silence?(): Promise<() => Promise<void>>;
  /** Makes the system ignore filters, so that searches return other accounts. Returns a function that repairs it. */
  strangers?(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
};

/** A connector's conformance file exports this as `fixture`. */
export type Fixture = { start(): Promise<Stage> };
