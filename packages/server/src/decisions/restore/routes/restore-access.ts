import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { AppName } from '#inventory/apps/reference.ts';
import { AccountSummary } from '#inventory/records/accounts/schemas.ts';
import { ExactTime } from '#inventory/records/history/as-of-schemas.ts';
import { route } from '#kit/http.ts';
import { Component, Instant, Nullable, Uuid } from '#kit/schemas.ts';
import type { Scope } from '../queries/access.ts';
import { restoreAccess } from '../restore.ts';
import { restoreRefusals } from '../sentences.ts';

const Count = Type.Integer({ minimum: 0 });
const Certainty = Type.Enum(['certain', 'possible']);
const Action = Type.Enum(['create_account', 'unsuspend_account', 'update_account']);
const Ids = (description: string) =>
  Type.Optional(Nullable(Type.Array(Uuid, { minItems: 1, maxItems: 1000, description })));

const Body = Component('Restore', {
  users: Ids('The people whose accounts are restored.'),
  accounts: Ids('The accounts that are restored.'),
  app: Type.Optional(Nullable({ ...Uuid, description: 'The app whose accounts are all restored.' })),
  as_of: Instant,
  dry_run: Type.Optional(
    Type.Boolean({ default: true, description: 'Show the plan without creating tasks. True if not given.' }),
  ),
  include_possible: Type.Optional(
    Type.Boolean({ default: false, description: 'Include access that is possible but not certain.' }),
  ),
  plan: Type.Optional(
    Nullable({ ...Uuid, description: 'The plan of a dry run. Nothing is created if it has changed since.' }),
  ),
  reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});

const Coverage = Type.Array(
  Component('RestoreCoverage', {
    app: AppName,
    known: Type.Boolean({
      description: 'Whether a sync of the app had completed by then, and the history is kept.',
    }),
  }),
);

const Reply = Component('RestorePlan', {
  dry_run: Type.Boolean(),
  plan: Uuid,
  as_of: ExactTime,
  coverage: Coverage,
  counts: Type.Object({
    create_account: Count,
    unsuspend_account: Count,
    update_account: Count,
    groups: Count,
    licenses: Count,
    left_out: Type.Integer({ minimum: 0, description: 'Left out because the access is only possible.' }),
    skipped: Count,
  }),
  results: Type.Array(
    Component('RestoreTask', {
      app: AppName,
      account: AccountSummary,
      target: Nullable({ ...Uuid, description: 'The account that the task changes.' }),
      user: Nullable(Uuid),
      action: Action,
      resources: Type.Array(
        Component('RestoredEntitlement', {
          entitlement_id: Uuid,
          type: Type.Enum(['group', 'license']),
          slug: Type.String(),
          id: Type.String(),
          name: Type.String(),
          certainty: Certainty,
          included: Type.Boolean(),
        }),
      ),
      certainty: Certainty,
      included: Type.Boolean(),
    }),
    { description: 'The first 1000 tasks.' },
  ),
  skipped: Type.Array(
    Component('SkippedRestore', {
      app: AppName,
      account: AccountSummary,
      user: Nullable(Uuid),
      reason: Type.String(),
    }),
  ),
  tasks: Type.Array(Uuid, { description: 'The tasks that were created.' }),
});

const PlannedTask = Component('RestorePlanTask', {
  app: Uuid,
  account: Nullable(Uuid),
  user: Nullable(Uuid),
  action: Action,
  add: Type.Array(Uuid, { description: 'The ids of groups and licenses.' }),
});

const Refused = Component('RestoreRefusal', {
  detail: Type.String(),
  coverage: Type.Optional(Coverage),
  difference: Type.Optional(
    Type.Object({ added: Type.Array(PlannedTask), removed: Type.Array(PlannedTask) }),
  ),
});

const lower = (ids: string[]) => [...new Set(ids.map((id) => id.toLowerCase()))].sort();

function scopeOf({ users = null, accounts = null, app = null }: Static<typeof Body>): Scope {
  if ([users, accounts, app].filter((one) => one !== null).length !== 1)
    throw restoreRefusals.restore_scope_unclear();
  if (users !== null) return { users: lower(users) };
  if (accounts !== null) return { accounts: lower(accounts) };
  return { app: (app as string).toLowerCase() };
}

const refuse = (reply: FastifyReply, refusal: Static<typeof Refused>): never =>
  reply.code(409).send(refusal) as never;

export const restoreAccessRoute = route(
  'POST',
  '/api/restore/',
  {
    tag: 'Restore',
    config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
    summary: 'Restore access as of a time',
    description:
      'Creates the tasks that bring access back: accounts are created or unsuspended, and get back their groups and licenses. It removes nothing, and deactivated people get nothing. Without `dry_run: false`, it shows the plan first.',
    body: Body,
    reply: Reply,
    replies: { 409: Refused },
  },
  async ({ call, body, reply }) => {
    const outcome = await restoreAccess(call, {
      scope: scopeOf(body),
      asOf: body.as_of,
      includePossible: body.include_possible ?? false,
      dryRun: body.dry_run ?? true,
      plan: body.plan?.toLowerCase() ?? null,
      reason: body.reason ?? null,
    });
    if ('unknown' in outcome)
      return refuse(reply, {
        detail:
          'The access at that time is unknown: no sync had completed by then, or the history is not kept that long. Choose a later time.',
        coverage: outcome.unknown,
      });
    if ('difference' in outcome)
      return refuse(reply, {
        detail: 'Access has changed since the plan was shown. Repeat the dry run and check the new plan.',
        difference: outcome.difference,
      });
    return outcome;
  },
);
