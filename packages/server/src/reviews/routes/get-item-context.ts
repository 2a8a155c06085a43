import { Type } from 'typebox';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { TASK_TYPES } from '../../provisioning/task.ts';
import { contextOfItems, type ItemContext, type ReadGrantDecisions } from '../context.ts';
import { PEER_GROUPS, REASONS } from '../recommend.ts';
import { accessibleCycle, CycleParams, Decision, reviewing, tags } from './schemas.ts';

const UUID = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';
const Items = Type.Object({
  items: Type.Optional(
    Type.String({
      pattern: `^${UUID}(?:,${UUID}){0,99}$`,
      description: 'The ids of up to 100 items, separated by commas. Without it, the result is empty.',
    }),
  ),
});

const Person = Type.Object({ external_uuid: Uuid, email: Type.String() });

const Granted = Type.Object({
  at: Timestamp,
  decision: Nullable(
    Type.Object(
      {
        task: Uuid,
        task_type: Type.Enum([...TASK_TYPES]),
        request_number: Nullable(Type.Integer()),
        policy_name: Nullable(Type.String()),
        decided_by: Nullable(Person),
      },
      {
        description:
          'Null: a sync discovered the access. `decided_by` is the last approver of a request, the reviewer, or the administrator.',
      },
    ),
  ),
});

const Peers = Type.Object({
  group: Type.Enum([...PEER_GROUPS]),
  name: Nullable(Type.String({ description: 'The department or title. Null for a manager.' })),
  of: Type.Integer({ description: 'The number of other active people in the group, at least 3.' }),
  have: Type.Integer({ description: 'How many of them have the same access.' }),
});

const Prior = Type.Object({
  campaign: Type.String(),
  cycle_id: Uuid,
  decision: Decision,
  decided_by: Nullable(Person),
  decided_at: Timestamp,
});

const ItemContextView = Type.Object({
  item: Uuid,
  description: Nullable(Type.String({ description: 'Of the group or license.' })),
  person_left: Type.Boolean({
    description: 'Whether the person is deactivated, or their last day has passed.',
  }),
  unused_days: Nullable(
    Type.Integer({
      description:
        'Days since the account was last used, or since it was discovered if it never was. Null: the app does not say.',
    }),
  ),
  granted: Granted,
  peers: Type.Array(Peers, {
    description:
      'The active people with the same manager, department and title. Groups of fewer than 3 people are left out.',
  }),
  prior: Type.Array(Prior, {
    description: 'Decisions on the same access in the latest 20 other cycles, newest first.',
  }),
  recommendation: Nullable(
    Type.Object(
      { decision: Decision, reasons: Type.Array(Type.Enum([...REASONS])) },
      { description: 'Null: there is no reason to recommend either, or the item is decided.' },
    ),
  ),
});

const view = ({ id, granted, ...context }: ItemContext) => ({
  item: id,
  ...context,
  granted: { ...granted, at: new Date(granted.at) },
});

export function getItemContextRoute(
  http: Http,
  { db, readGrantDecisions }: RouteTools & { readGrantDecisions: ReadGrantDecisions },
) {
  http.get(
    '/api/reviews/cycles/:cycle_id/items/context/',
    {
      config: { ...reviewing, reads: 'replica' },
      onRequest: accessibleCycle(db),
      schema: {
        tags,
        summary: 'Get the context of items of a cycle',
        description:
          'Returns what helps to decide items, as of now. Items that do not exist, or that a member does not review, are left out.',
        params: CycleParams,
        querystring: Items,
        response: { 200: Type.Object({ results: Type.Array(ItemContextView) }) },
      },
    },
    async ({ principal, params, query, reads }) => {
      const tools = { db: reads.db, readGrantDecisions };
      const items = await contextOfItems(tools, principal, params.cycle_id, query.items?.split(',') ?? []);
      return { results: items.map(view) };
    },
  );
}
