import type { Held } from '#inventory/apps/held.ts';
import type { SessionStatus } from '../../sessions/session.ts';

/** The records that publishing a session creates, changes and removes, or did. */
export interface SessionPlan {
  sync_id: string;
  status: SessionStatus;
  /** `plan`: not all of it has happened yet. `history`: it is what the session did. */
  basis: 'plan' | 'history';
  /** Identifies a held removal, for its approval. Null if nothing is held. */
  plan: string | null;
  planned_at: Date;
  /** The loss that the removal guard holds, or would hold if the session were completed now. */
  held: Held | null;
  /** Null if the session was published before Gatehouse kept a history. */
  counts: PlanCounts | null;
  /** The number of removals that tasks have reported, and that no earlier sync has confirmed. */
  confirmed_removals: number;
  /** The number of open tasks that want removals that have not been carried out yet. */
  expected_by_tasks: number;
}

export interface PlanCounts {
  accounts: { created: number; changed: number; removed: number };
  memberships: { added: number; removed: number };
  resources: { created: number; changed: number; removed: number };
}

export const PLAN_TYPES = ['account', 'membership', 'resource'] as const;
export const PLAN_CHANGES = ['created', 'changed', 'added', 'removed'] as const;

export interface PlanFilter {
  type: (typeof PLAN_TYPES)[number] | null;
  change: (typeof PLAN_CHANGES)[number] | null;
  /** Whether the change has been published. */
  applied: boolean | null;
  /** Part of an email, a name or an external id, compared without case. */
  q: string | null;
}

export interface PlannedChange {
  change: (typeof PLAN_CHANGES)[number];
  type: (typeof PLAN_TYPES)[number];
  applied: boolean;
  account: {
    id: string | null;
    type: string;
    external_id: string | null;
    email: string;
    display_name: string;
  } | null;
  resource: { type: string; slug: string; id: string; name: string } | null;
  person: { external_uuid: string; email: string; first_name: string; last_name: string } | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}
