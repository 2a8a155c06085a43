import { type Static, Type } from 'typebox';
import { AppReference, appReference } from '../apps/reference.ts';
import { invalid } from '../platform/errors.ts';
import { Instant, Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import { instantForSql } from '../platform/instants.ts';
import { ACTIONS } from '../provisioning/task.ts';
import type { Campaign } from './campaign.ts';
import { INCLUDE, KINDS, type Settings } from './cycle.ts';
import type { Cycle, Item } from './items.ts';
import { FREQUENCIES } from './schedule.ts';

const People = Type.Array(Uuid, { minItems: 1, maxItems: 100 });
const Reviewer = Type.Union([Type.Enum(['manager', 'app_owner']), People]);
const Decision = Type.Enum(['keep', 'revoke']);
const Included = Type.Array(Type.Enum([...INCLUDE]), { minItems: 1, maxItems: 3 });

const ScopeBody = Type.Object({
  apps: Type.Optional(
    Nullable(Type.Array(Uuid, { minItems: 1, maxItems: 1000, description: 'Null or absent: all.' })),
  ),
  users: Type.Optional(
    Nullable(
      Type.String({ description: "CEL over user, for example user.attributes.department == 'Finance'." }),
    ),
  ),
  include: Type.Optional(Included),
});

/** governance.md "Access reviews". */
const fields = {
  scope: Type.Optional(ScopeBody),
  fallback_reviewers: Type.Optional(Nullable(People)),
  frequency: Type.Optional(Type.Enum([...FREQUENCIES])),
  starts_at: Type.Optional(Nullable(Instant)),
  due_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  on_no_response: Type.Optional(Decision),
  revoke_account_by: Type.Optional(Type.Enum(['delete', 'suspend'])),
  cooling_off_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: 24 * 90 })),
};
const Name = Type.String({ minLength: 1, maxLength: 255 });
export const NewCampaign = Type.Object({ name: Name, reviewer: Type.Optional(Reviewer), ...fields });
export const CampaignChange = Type.Object({
  name: Type.Optional(Name),
  reviewer: Type.Optional(Reviewer),
  ...fields,
});

export const CampaignView = Type.Object({
  external_uuid: Uuid,
  name: Type.String(),
  scope: Type.Object({
    apps: Nullable(Type.Array(Uuid)),
    users: Nullable(Type.String()),
    include: Type.Array(Type.Enum([...INCLUDE])),
  }),
  reviewer: Reviewer,
  fallback_reviewers: Nullable(Type.Array(Uuid, { description: "Null: the organization's administrators." })),
  frequency: Type.Enum([...FREQUENCIES]),
  starts_at: Nullable(Timestamp),
  due_days: Type.Integer(),
  on_no_response: Decision,
  revoke_account_by: Type.Enum(['delete', 'suspend']),
  cooling_off_hours: Type.Integer(),
  next_opens_at: Nullable(
    Type.Unsafe<Date>({ type: 'string', format: 'date-time', description: 'By itself.' }),
  ),
  last_empty_at: Nullable(
    Type.Unsafe<Date>({
      type: 'string',
      format: 'date-time',
      description: 'The last time that its turn came and there was nothing to review: no cycle was opened.',
    }),
  ),
  created_by: Nullable(Uuid),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const campaignView = ({ settings, ...campaign }: Campaign) => ({
  external_uuid: campaign.id,
  ...settings,
  ...campaign,
  starts_at: settings.starts_at === null ? null : new Date(settings.starts_at),
});

const lower = (ids: string[]) => [...new Set(ids.map((id) => id.toLowerCase()))];

/** As text in UTC. JavaScript would take February 30 for March 2. */
function moment(text: string): string {
  const day = text.slice(0, 10);
  if (!new Date(`${day}T00:00:00Z`).toISOString().startsWith(day))
    throw invalid('There is no such date (starts_at).');
  return new Date(instantForSql(text)).toISOString();
}

/** What a body names of the settings. */
export function settingsIn(body: Static<typeof CampaignChange>): Partial<Settings> {
  const { name, scope, reviewer, fallback_reviewers, starts_at, ...rest } = body;
  const { frequency, due_days, on_no_response, revoke_account_by, cooling_off_hours } = rest;
  const given = {
    name,
    scope: scope && {
      apps: scope.apps == null ? null : lower(scope.apps),
      users: scope.users ?? null,
      include: scope.include === undefined ? [...INCLUDE] : [...new Set(scope.include)],
    },
    reviewer: Array.isArray(reviewer) ? lower(reviewer) : reviewer,
    fallback_reviewers: fallback_reviewers ? lower(fallback_reviewers) : fallback_reviewers,
    frequency,
    starts_at: starts_at ? moment(starts_at) : starts_at,
    due_days,
    on_no_response,
    revoke_account_by,
    cooling_off_hours,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export const DEFAULTS: Omit<Settings, 'name'> = {
  scope: { apps: null, users: null, include: [...INCLUDE] },
  reviewer: 'manager',
  fallback_reviewers: null,
  frequency: 'once',
  starts_at: null,
  due_days: 14,
  on_no_response: 'keep',
  revoke_account_by: 'delete',
  cooling_off_hours: 24,
};

export const CycleView = Type.Object({
  external_uuid: Uuid,
  campaign: Type.Object({ external_uuid: Uuid, name: Type.String() }),
  status: Type.Enum(['scheduled', 'in_progress', 'completed']),
  opens_at: Timestamp,
  opened_at: Nullable(Timestamp),
  due_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  opening: Type.Object(
    { accounts: Type.Integer(), of: Type.Integer() },
    { description: 'How many accounts have been looked at. A large cycle is scheduled until all have.' },
  ),
  progress: Type.Object({
    items: Type.Integer(),
    decided: Type.Integer(),
    undecided: Type.Integer(),
    kept: Type.Integer(),
    revoked: Type.Integer(),
  }),
  on_no_response: Decision,
  revoke_account_by: Type.Enum(['delete', 'suspend']),
  cooling_off_hours: Type.Integer(),
});

export const cycleView = ({ id, settings, items, kept, revoked, ...cycle }: Cycle) => ({
  external_uuid: id,
  campaign: cycle.campaign,
  status: cycle.status,
  opens_at: cycle.opens_at,
  opened_at: cycle.opened_at,
  due_at: cycle.due_at,
  completed_at: cycle.completed_at,
  opening: { accounts: cycle.accounts_done, of: cycle.accounts_total },
  progress: { items, decided: kept + revoked, undecided: items - kept - revoked, kept, revoked },
  on_no_response: settings.on_no_response,
  revoke_account_by: settings.revoke_account_by,
  cooling_off_hours: settings.cooling_off_hours,
});

/** A moment that is stored as text. */
const Moment = Type.String({ format: 'date-time' });
const reference = { external_uuid: Uuid, email: Type.String() };
const Person = Type.Object(reference);

export const ItemView = Type.Object({
  id: Uuid,
  kind: Type.Enum([...KINDS]),
  app: AppReference,
  account: Type.Object({ ...reference, username: Type.String() }),
  user: Nullable(Type.Object({ ...reference, name: Type.String() })),
  resource: Nullable(Type.Object({ slug: Type.String(), id: Type.String(), name: Type.String() })),
  reviewer: Nullable(Person),
  reviewers: Type.Array(Person, {
    description: 'Any of them may decide; the first is the reviewer. Empty: the administrators.',
  }),
  decision: Nullable(Decision),
  comment: Nullable(Type.String()),
  decided_by: Nullable(Person),
  decided_at: Nullable(Timestamp),
  earlier: Type.Array(
    Type.Object({
      decision: Decision,
      comment: Nullable(Type.String()),
      decided_by: Nullable(Uuid),
      decided_at: Moment,
    }),
    { description: 'Decisions that were changed, oldest first.' },
  ),
  task: Nullable(
    Type.Object({
      external_uuid: Uuid,
      action: Type.Enum([...ACTIONS]),
      status: Type.String(),
      execute_after: Timestamp,
      ended_at: Nullable(Timestamp),
    }),
  ),
  context: Type.Object({
    since: Timestamp,
    granted_by: Nullable(
      Type.Object(
        {
          task: Uuid,
          task_type: Type.String(),
          source: Nullable(Type.Object({ type: Type.String(), id: Uuid })),
          at: Moment,
        },
        { description: 'The task that granted it; null: it was there already, or came with a sync.' },
      ),
    ),
    last_seen_at: Nullable(Timestamp),
    account_status: Type.String({ description: 'As it is now: ACTIVE, INVITED, SUSPENDED, INACTIVE.' }),
    person: Nullable(
      Type.Object(
        { status: Type.String(), department: Nullable(Type.String()), title: Nullable(Type.String()) },
        { description: 'Who has it, as they are now: a reviewer need not be allowed to read people.' },
      ),
    ),
  }),
  seen_gone: Nullable(
    Type.Boolean({ description: 'Of a revocation: whether a later sync has seen the access gone.' }),
  ),
});

export const itemView = (item: Item) => ({
  id: item.id,
  kind: item.kind,
  app: appReference(item.app_id, item.app_name),
  account: item.account,
  user: item.user,
  resource: item.resource,
  reviewer: item.reviewers[0] ?? null,
  reviewers: item.reviewers,
  decision: item.decision,
  comment: item.comment,
  decided_by: item.decided_by,
  decided_at: item.decided_at,
  earlier: item.earlier,
  task: taskOf(item),
  context: {
    since: item.since,
    granted_by: item.granted_by,
    last_seen_at: item.last_seen_at,
    account_status: item.account_status,
    person: item.person,
  },
  seen_gone: item.seen_gone,
});

function taskOf({ task, task_action, task_status, task_execute_after, task_ended_at }: Item) {
  if (task === null || task_action === null || task_status === null || task_execute_after === null)
    return null;
  return {
    external_uuid: task,
    action: task_action,
    status: task_status,
    execute_after: task_execute_after,
    ended_at: task_ended_at,
  };
}

export const Decisions = Type.Object({
  items: Type.Array(Uuid, { minItems: 1, maxItems: 1000 }),
  decision: Decision,
  comment: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});
