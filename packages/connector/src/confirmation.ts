/** The time, and pauses in milliseconds. Tests pass their own. */
export type Clock = { now(): number; sleep(ms: number, signal: AbortSignal): Promise<unknown> };
type Entitlement = { slug: string; id: string; via?: { slug: string; id: string } };

/** The part of an account that a task is about, as the system showed it. */
export type Seen = {
  account: 'active' | 'inactive' | 'suspended' | 'absent';
  /** The groups and licenses of the task that the account has. */
  held: Entitlement[];
  /** Those that it does not have. */
  missing: Entitlement[];
};

/** How the result of a task was confirmed (D80). `seen` is null if nothing was or could be read. */
export type Confirmation = { confirmed: 'read' | 'none'; seen: Seen | null };
