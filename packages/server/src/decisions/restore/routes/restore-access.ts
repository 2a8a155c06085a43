import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { route } from '#kit/http.ts';
import { Component, Instant, Nullable, Uuid } from '#kit/schemas.ts';
import type { RestoreItem } from '../choice.ts';
import type { Scope } from '../queries/access.ts';
import { restoreAccess } from '../restore.ts';
import { Coverage, PlannedTask, RestoreResult } from '../schemas.ts';
import { restoreRefusals } from '../sentences.ts';

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
    Type.Boolean({
      default: false,
      description: 'Include access that is only possible: not seen before and after the time.',
    }),
  ),
  include_decided: Type.Optional(
    Type.Union([Type.Boolean(), Type.Array(Uuid, { maxItems: 1000 })], {
      default: false,
      description:
        'Include access that decisions took away, or only that of these decisions: `external_uuid` in `lost_by`. Access whose time is over stays left out.',
    }),
  ),
  items: Type.Optional(
    Type.Array(
      Component('RestoreItem', {
        account: { ...Uuid, description: 'The account then, or the one that gets the access.' },
        slug: Type.Optional(
          Nullable(Type.String({ description: 'The resource type. null: the account itself.' })),
        ),
        resource: Type.Optional(
          Nullable(Type.String({ description: 'The external id of the group or license.' })),
        ),
      }),
      { maxItems: 1000, description: 'Access of the plan to include in any case.' },
    ),
  ),
  plan: Type.Optional(
    Nullable({ ...Uuid, description: 'The plan of a dry run. Nothing is created if it has changed since.' }),
  ),
  reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});

const Refused = Component('RestoreRefusal', {
  detail: Type.String(),
  coverage: Type.Optional(Type.Array(Coverage)),
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

const decidedOf = ({ include_decided = false }: Static<typeof Body>) =>
  Array.isArray(include_decided) ? lower(include_decided) : include_decided;

const itemsOf = ({ items = [] }: Static<typeof Body>): RestoreItem[] =>
  items.map(({ account, slug = null, resource = null }) => {
    if ((slug === null) !== (resource === null)) throw restoreRefusals.restore_item_unclear();
    return { account: account.toLowerCase(), slug, resource };
  });

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
      'Creates the tasks that bring access back: accounts are created or unsuspended, and get back their groups and licenses. It removes nothing, and deactivated people get nothing. Access that decisions took away is listed and left out unless chosen. Without `dry_run: false`, it shows the plan first.',
    body: Body,
    reply: RestoreResult,
    replies: { 409: Refused },
  },
  async ({ call, body, reply }) => {
    const outcome = await restoreAccess(call, {
      scope: scopeOf(body),
      asOf: body.as_of,
      includePossible: body.include_possible ?? false,
      includeDecided: decidedOf(body),
      items: itemsOf(body),
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
