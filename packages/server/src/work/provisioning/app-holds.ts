import { hookPoint, type OrgTx } from '#kit/database.ts';

/** A decision about tasks of an app that exceeded its daily budget (D46). */
export interface HeldDecision {
  appId: string;
  decision: 'confirmed' | 'discarded';
  /** The person who decided. */
  by: string;
  reason: string | null;
  /** The number of accounts of the tasks. */
  accounts: number;
}

/** Called in the transactions in which tasks of apps begin to wait for a confirmation, and in which a person decides about some of them. */
export interface AppHoldHook {
  begin(tx: OrgTx, appId: string, tasks: number): Promise<void>;
  decide(tx: OrgTx, decision: HeldDecision): Promise<void>;
}

export const appHoldHooks = hookPoint<AppHoldHook>();
