import { type UndecidedPeople, undecidedView } from '#directory/people/undecided.ts';
import type { Org } from '#kit/database.ts';
import { type RequestCause, SYSTEM } from '#kit/identity.ts';
import { changedFields } from '#log/events/changes.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { SomeKept } from './kept.ts';
import type { Policy, PolicySpec } from './policy.ts';
import type { GroupChange } from './schemas.ts';

const FIELDS = [
  'name',
  'trigger',
  'offset_days',
  'condition',
  'effects',
  'delay',
  'recheck',
  'enabled',
] as const;

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

export const taskLimitChanged = (org: Org, from: number, to: number, cause: RequestCause): NewEvent => ({
  type: 'policy.settings_changed',
  ...about(org.orgId, cause),
  payload: { changes: [{ field: 'task_limit', from, to }] },
});

/** A policy, or what is known of one that was deleted. */
type Known = Pick<Policy, 'id' | 'name' | 'trigger' | 'offset_days' | 'enabled_by'> & {
  created_by?: string | null;
};

/** Time makes daily policies and those with days run, and events all others. */
export const sourceOf = ({ id, trigger, offset_days }: Pick<Policy, 'id' | 'trigger' | 'offset_days'>) =>
  ({ type: trigger === 'daily' || offset_days !== null ? 'schedule' : 'system', uuid: id }) as const;

const byPolicy = (policy: Pick<Policy, 'id' | 'trigger' | 'offset_days'>) => ({
  actor: SYSTEM,
  subject: { type: 'system' as const, uuid: policy.id },
  source: sourceOf(policy),
});

/** A run has not revoked access that something else gives (D68). No event if there is none. */
export const accessKept = (policy: Policy, { count, kept }: SomeKept): NewEvent[] =>
  count === 0
    ? []
    : [
        {
          type: 'policy.access_kept',
          ...byPolicy(policy),
          payload: { policy_id: policy.id, name: policy.name, count, kept },
        },
      ];

/** `because`: the group that was renamed or deleted. `contradicts`: the policies that it undoes for somebody. */
export const policyHeld = (
  policy: Policy,
  {
    count,
    because,
    contradicts = [],
  }: { count: number; because: GroupChange | null; contradicts?: readonly Named[] },
): NewEvent => ({
  type: 'policy.held',
  ...byPolicy(policy),
  payload: {
    ...{ policy_id: policy.id, name: policy.name, count, because },
    contradicts: contradicts.map(({ id, name }) => ({ external_uuid: id, name })),
  },
});

/** A run of a policy that takes access away left people out because its condition does not decide them. */
export function policyUndecided(policy: Known, undecided: UndecidedPeople): NewEvent {
  const { count, reasons } = undecidedView(undecided);
  return {
    type: 'policy.undecided',
    ...byPolicy(policy),
    payload: {
      policy_id: policy.id,
      name: policy.name,
      enabled_by: policy.enabled_by ?? policy.created_by ?? null,
      count,
      reasons,
    },
  };
}
