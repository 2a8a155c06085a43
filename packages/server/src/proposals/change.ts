import type { Hands } from '#directory/means/hands.ts';
import type { GrantKind } from '#inventory/records/accounts/grant-kinds.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { Action, SOURCE_TYPES, TaskType } from '#work/provisioning/task.ts';

/** The kinds of decisions that change access. */
export type DecisionKind = 'manual' | 'request' | 'review' | 'policy' | 'restore';

/** A decision that changes access. */
export interface Decision {
  kind: DecisionKind;
  /** The request, review item, policy or restore. Null: a manual decision, which has its task. */
  id: string | null;
  /** Its name, for people. */
  label: string;
  reason: Sentence | string | null;
  /** Null: nobody responded to a review, and silence decided. */
  decidedBy: string | null;
  /** The administrator who has confirmed it although the budget of an app is used up (D46). */
  releasedBy?: string | null;
  /** The people behind it, to whom it must not give anything (D76). Missing: the caller asks somebody else in another way. */
  hands?: Hands;
}

/** A group or license. */
interface Part {
  entitlement_id: string;
}

/** A change of one account that a decision wants. One task makes it. */
export interface Change {
  decision: Decision;
  action: Action;
  app: { id: string };
  /** The person for whom it is decided. Null: an account of nobody, or a decision that does not ask whose it is. */
  user: { id: string; status?: 'active' | 'deactivated' } | null;
  /** Null: a new account of the person. */
  account: { id: string } | null;
  add: readonly Part[];
  remove: readonly Part[];
  /** Null or a past time: now. */
  executeAfter: Date | null;
  /** When the access ends, or each part of it, and the account (null), at a time of its own. Null or missing: never. */
  until?: Date | null | ReadonlyMap<string | null, Date>;
  /** Whether it suspends because the person leaves, or ends only such suspensions (D73). */
  leaving?: boolean;
  /** Whether an open task changes the status of the account first. */
  isBehind?: boolean;
  /** For create_account: the slug of the account type. By default the first that the app registered. */
  resourceType?: string | null;
  /** For create_account: the id that the account gets, if it is free (D47). */
  reservedAccountId?: string | null;
  /** For delete_account by hand: the open task that it replaces. */
  insteadOf?: string | null;
}

/** A decision to give what an account has already: its grant begins without a task (D73). */
export interface HeldGrant {
  decision: Decision;
  app: { id: string };
  account: { id: string };
  /** Null: the account itself. */
  entitlement_id: string | null;
  /** Null: now. */
  from: Date | null;
  /** Null: never. */
  until: Date | null;
}

/** Whether a change gives something. Otherwise, it takes something away or resets a password. */
export const gives = ({ action, add }: Pick<Change, 'action' | 'add'>): boolean =>
  action === 'create_account' || action === 'unsuspend_account' || add.length > 0;

interface Written {
  taskType: TaskType;
  source: (typeof SOURCE_TYPES)[number] | null;
  /** Null: a review gives nothing. */
  grant: GrantKind | null;
}

/** How tasks and grants name a kind of decision (D32). */
export const WRITTEN: Record<DecisionKind, Written> = {
  manual: { taskType: 'USER_ACTION', source: null, grant: 'manual' },
  request: { taskType: 'APPROVAL_WORKFLOW', source: 'ticket', grant: 'request' },
  review: { taskType: 'ACCESS_REVIEW', source: 'review_item', grant: null },
  policy: { taskType: 'POLICY', source: 'policy', grant: 'policy' },
  restore: { taskType: 'USER_ACTION', source: 'restore', grant: 'restore' },
};
