import type { OrgDb } from '#kit/database.ts';
import type { DraftTask, SuspensionChange } from './effects.ts';
import type { Target } from './targets.ts';

/** A grant on what an account already has (D73). */
export interface PlannedGrant {
  app: Target['app'];
  user: Target['user'];
  account: NonNullable<Target['account']>;
  entitlement_id: string | null;
  /** The person or account that triggered the policy. */
  subject: string;
}

/** A task that a policy would create. */
export interface PlannedTask extends DraftTask {
  /** The person or account that triggered the policy. */
  subject: string;
}

/** A suspension that a policy would begin or end without a task. */
export interface PlannedSuspension extends SuspensionChange {
  /** The person or account that triggered the policy. */
  subject: string;
}

/** Lets those of the planned tasks, grants and suspensions pass that may be created now. */
export interface TaskGate {
  sift(db: OrgDb, tasks: readonly PlannedTask[]): Promise<readonly PlannedTask[]>;
  siftGrants(db: OrgDb, planned: readonly PlannedGrant[]): Promise<readonly PlannedGrant[]>;
  siftSuspensions(db: OrgDb, planned: readonly PlannedSuspension[]): Promise<readonly PlannedSuspension[]>;
}
