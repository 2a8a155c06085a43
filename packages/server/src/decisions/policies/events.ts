import type { Org } from '../../kit/database/organization.ts';
import type { Actor, RequestCause } from '../../kit/identity/cause.ts';
import { changedFields } from '../../log/events/changes.ts';
import type { NewEvent } from '../../log/events/record.ts';
import type { KeptAccess } from './plan.ts';
import type { PolicySpec } from './policy.ts';

const FIELDS = ['name', 'trigger', 'condition', 'effects', 'delay', 'enabled'] as const;

type Named = Pick<PolicySpec, 'name'> & { id: string };

const about = (id: string, { actor, source }: RequestCause) => ({
  actor,
  subject: { type: 'system' as const, uuid: id },
  source,
});

export const policyCreated = (id: string, spec: PolicySpec, cause: RequestCause): NewEvent => ({
  type: 'policy.created',
  ...about(id, cause),
  payload: {
    policy_id: id,
    name: spec.name,
    definition: Object.fromEntries(FIELDS.map((field) => [field, spec[field]])),
  },
});

/** Returns no event if nothing differs. */
export function policyUpdated(
  id: string,
  before: PolicySpec,
  after: PolicySpec,
  cause: RequestCause,
): NewEvent[] {
  const changes = changedFields(before, after, FIELDS);
  if (changes.length === 0) return [];
  return [
    { type: 'policy.updated', ...about(id, cause), payload: { policy_id: id, name: after.name, changes } },
  ];
}

export const policyDeleted = ({ id, name }: Named, cause: RequestCause): NewEvent => ({
  type: 'policy.deleted',
  ...about(id, cause),
  payload: { policy_id: id, name },
});

/** The decision of a person about the held actions of a policy. */
export const heldActionsDecided = (
  type: 'policy.actions_confirmed' | 'policy.actions_discarded',
  { id, name, count }: Named & { count: number },
  cause: RequestCause,
): NewEvent => ({ type, ...about(id, cause), payload: { policy_id: id, name, count } });

const MOST_SHOWN = 20;

/** Says which access a run has not revoked, because something else gives it (D68). No event if there is none. */
export const accessKept = (
  { id, name }: Named,
  kept: readonly KeptAccess[],
  cause: { actor: Actor; source: { type: 'schedule' | 'system'; uuid: string | null } },
): NewEvent[] =>
  kept.length === 0
    ? []
    : [
        {
          type: 'policy.access_kept',
          ...cause,
          subject: { type: 'system', uuid: id },
          payload: { policy_id: id, name, count: kept.length, kept: kept.slice(0, MOST_SHOWN) },
        },
      ];

export const taskLimitChanged = (org: Org, from: number, to: number, cause: RequestCause): NewEvent => ({
  type: 'policy.settings_changed',
  ...about(org.orgId, cause),
  payload: { changes: [{ field: 'task_limit', from, to }] },
});
