import type { Clock } from '../confirmation.ts';
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

/** Turns on a fault of the system. Returns a function that turns it off. */
export type Switch = () => Promise<() => Promise<void>>;

/** Makes a switch of a function that receives whether the fault is on. */
export const switchOf =
  (turn: (on: boolean) => unknown): Switch =>
  async () => {
    await turn(true);
    return async () => void (await turn(false));
  };

/** A switch, or why the system cannot have this fault. The report then shows that reason. */
export type SwitchOrReason = Switch | string;

/** Returns why a check of a fault is skipped, or undefined if the fixture can turn it on. */
export const faultIn = (name: string, fault: SwitchOrReason | undefined): string | undefined => {
  if (typeof fault === 'function') return undefined;
  return fault ?? `the fixture has no ${name}`;
};

/** A system to test on. Checks that need a missing part are skipped with a reason. */
export type Stage = {
  /** Settings of the connector, by name. */
  settings: Record<string, unknown>;
  /** Settings with credentials that may read but not write. */
  weakSettings?: Record<string, unknown>;
  /** The clock for reading accounts back after tasks. */
  clock?: Clock;
  /** The slug of the account type for tasks, if there are several. */
  accountType?: string;
  /** Returns the `n`th account to create. It does not exist yet, and its id is not an id of the system. */
  newAccount?(n: number): TaskAccount;
  /** Two groups or licenses that accounts can get, preferably of the same slug. */
  grants?: { slug: string; ref: Ref }[];
  witness?: Witness;
  /** The system fails. */
  outage?: Switch;
  /** The system leaves out who is in which group, while it still lists accounts. */
  silence?: Switch;
  /** The system leaves out which accounts are suspended. At least one is. */
  blindness?: Switch;
  /** The system ignores filters, so that searches return other accounts. */
  strangers?: Switch;
  /** The system, or a proxy before it, answers every request with a page of HTML and the status 404. */
  html?: Switch;
  /** Faults of lists with several pages. */
  pages?: {
    /** A page repeats an account of the page before it, and another one is missing. */
    repeat: Switch;
    /** Lists end early, at least three records before the end, as if they were complete. */
    cut: Switch;
    /** The first account is gone, so that all others move up. */
    shift: Switch;
    /** The same for the first group or license of the longest list of them. */
    shiftGroups?: SwitchOrReason;
    /** An account is gone from the first page of the members of a group, so that its other members move up. */
    shiftMembers?: SwitchOrReason;
  };
  /** Access that a listing cannot show completely (D81). */
  partial?: {
    /** An account with a membership can no longer be read, while it is still in the system and in its group. */
    account?: SwitchOrReason;
    /** A group has one more member, which is not one of the listed accounts: a computer, or somebody of another system. */
    member?: SwitchOrReason;
    /** A group whose members were listed still exists, and its members can no longer be read. */
    group?: SwitchOrReason;
  };
  /** Returns the `n`th account to create whose name the system refuses, or says why it accepts every name. */
  misfit?: ((n: number) => TaskAccount) | string;
  stop(): Promise<void>;
};

/** A connector's conformance file exports this as `fixture`. */
export type Fixture = { start(): Promise<Stage> };
