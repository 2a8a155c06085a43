import { type Static, Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import type { Call } from '#kit/identity.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { USER_NAME_KINDS } from '../../../../../protocol/src/user-names.ts';
import type { ReadActivity } from '../admin.ts';
import type { AdminApp, ApprovalStep as Step } from '../app.ts';
import { Held } from '../held.ts';
import { AppReference, appReference } from '../reference.ts';
import { SyncStatus } from '../sync-status.ts';
import { Unseen, UnseenCounts } from '../unseen.ts';
import { UserNameRule } from '../user-names/schema.ts';

const ConfigurationStatus = Type.Enum(['CHECKING_CONFIGURATION', 'CONNECTED', 'DISCONNECTED'], {
  title: 'AppStatus',
});

/** An app as connectors see it (protocol 2.1). */
export const BridgeApp = Component('BridgeApp', {
  id: Uuid,
  name: Type.String(),
  configuration_status: ConfigurationStatus,
  created_at: Timestamp,
  last_synced_at: Nullable(Timestamp),
});

export const ResourceTypeKind = Type.Enum(['account', 'group', 'license']);
export const ResourceTypeName = Type.String({ minLength: 1, maxLength: 512 });
export const ResourceType = Component('ResourceType', {
  id: Uuid,
  slug: Type.String(),
  name: Type.String(),
  type: ResourceTypeKind,
  created_at: Timestamp,
});

const People = Type.Array(Uuid, { minItems: 1, maxItems: 100 });
const Approvers = Type.Union([Type.Enum(['manager', 'app_owner']), People]);
const Require = Type.Enum(['all', 'any']);
const ApprovalStep = Component('NewApprovalStep', { approvers: Approvers, require: Type.Optional(Require) });
const RemovalGuard = Nullable(
  Component('RemovalGuard', {
    percent: Type.Number({ minimum: 1, maximum: 100 }),
    at_least: Type.Integer({ minimum: 1 }),
  }),
);

const Escalation = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 100,
    description:
      "Working days (Monday to Friday, UTC) without a decision after which the approver's manager can decide, and after twice as many the fallback approvers. Null: never.",
  }),
);

const UserName = Nullable({
  ...UserNameRule,
  description: 'The rule for the user names of new accounts. Null: the default for user_name_kind.',
});

const LastSync = Component('LastSync', {
  sync_id: Uuid,
  status: SyncStatus,
  held: Nullable(Held),
  rejected_by: Nullable({ ...Uuid, description: 'The person who rejected the held removals.' }),
  overdue: Type.Optional(
    Type.Literal(true, {
      description:
        'The next sync is overdue: the newest completed one ended more than three usual intervals ago, and more than an hour. Only then present.',
    }),
  ),
});

/** An app as administrators see it (protocol 11). */
export const AppView = Component('App', {
  ...AppReference.properties,
  configuration_status: ConfigurationStatus,
  owner: Nullable(Uuid),
  approval_steps: Type.Array(Component('ApprovalStep', { approvers: Approvers, require: Require })),
  fallback_approvers: Nullable(
    Type.Array(Uuid, { description: "Null means the organization's administrators." }),
  ),
  escalate_after_working_days: Escalation,
  removal_guard: RemovalGuard,
  user_name: UserName,
  user_name_kind: Nullable({
    ...Type.Enum([...USER_NAME_KINDS]),
    description:
      'The system whose user names the connector creates, as it said last. Null: it said none, and accounts get the user names of their people.',
  }),
  created_at: Timestamp,
  last_synced_at: Nullable(Timestamp),
  last_sync: Type.Optional(
    Nullable({
      ...LastSync,
      description: 'The newest sync session, for roles that may read syncs. Only in GET responses.',
    }),
  ),
  unseen_counts: Type.Optional({
    ...UnseenCounts,
    description:
      'The sums of what the newest sync that was published and not reverted could not see, for the same roles. Only in GET responses. Missing if it reported nothing.',
  }),
  unseen: Type.Optional(
    Type.Array(Unseen, { description: 'The same in detail. Only in the response for one app.' }),
  ),
  held_tasks: Type.Optional(
    Type.Integer({
      description:
        'The tasks that wait because of the daily budget, for the same roles. Only in GET responses.',
    }),
  ),
  fulfilled_by_people: Type.Optional(
    Type.Boolean({
      description: 'Whether people carry out the tasks, for the same roles. Only in GET responses.',
    }),
  ),
  tasks_carried_out_by: Type.Optional(
    Nullable({
      ...Type.Enum(['people', 'connector', 'nobody']),
      description:
        'The party that carries out the tasks: people, the connector that this server runs, or nobody, also if people should and there is neither a fulfiller nor an owner. Null if a connector that runs elsewhere may ask for them. For the same roles. Only in GET responses.',
    }),
  ),
});

export const AppChange = Component('AppChange', {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  owner: Type.Optional(Nullable(Uuid)),
  approval_steps: Type.Optional(Type.Array(ApprovalStep, { minItems: 1, maxItems: 10 })),
  fallback_approvers: Type.Optional(Nullable(People)),
  escalate_after_working_days: Type.Optional(Escalation),
  removal_guard: Type.Optional(RemovalGuard),
  user_name: Type.Optional(UserName),
});

export const appView = ({ id, name, ...app }: AdminApp) => ({ ...appReference(id, name), ...app });

/** Adds the activity of each app, unless the caller is a member: members may not read it. */
export async function withActivity(
  { readLastSyncs, readHeldTasks, readCarriers, readUnseenCounts }: ReadActivity,
  call: Call,
  apps: AdminApp[],
) {
  if (call.principal.role === 'member') return apps.map(appView);
  const ids = apps.map(({ id }) => id);
  const [sessions, held, carriers, unseen] = await Promise.all([
    readLastSyncs(call, ids),
    readHeldTasks(call, ids),
    readCarriers(call, ids),
    readUnseenCounts(call, ids),
  ]);
  const reported = (id: string) => {
    const counts = unseen.get(id);
    return counts === undefined ? {} : { unseen_counts: counts };
  };
  return apps.map((app) => ({
    ...appView(app),
    last_sync: sessions.get(app.id) ?? null,
    ...reported(app.id),
    held_tasks: held.get(app.id) ?? 0,
    fulfilled_by_people: carriers.get(app.id) === 'people',
    tasks_carried_out_by: carriers.get(app.id) ?? null,
  }));
}

/** Completes an approval step from a request. Ids compare equal to those of the database in any case (D3). */
export const approvalStep = ({ approvers, require = 'any' }: Static<typeof ApprovalStep>): Step => ({
  approvers: typeof approvers === 'string' ? approvers : approvers.map((id) => id.toLowerCase()),
  require,
});

export const ConnectionRequest = Component('ConnectionRequest', {
  external_uuid: Uuid,
  app_name: Type.String(),
  reason: Type.String(),
  requester: Nullable(PersonEmail),
  created_at: Timestamp,
});

export const bridge = { access: { scope: 'bridge', apps: 'listed' } } as const;
export const everyRole = { access: { scope: 'govern', apps: 'listed' } } as const;
export const administrators = {
  access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' },
} as const;

export const tag = 'Apps';
