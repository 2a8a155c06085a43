import { Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { CandidateSearch, Candidates, candidates } from '#directory/people/routes/candidate-schemas.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { TASK_TYPES } from '#work/provisioning/task.ts';
import { Decision } from '../../campaigns/routes/schemas.ts';
import { searchReviewers } from '../../cycles/candidates.ts';
import { contextOfItems, type ItemContext } from '../../cycles/context.ts';
import { listItems } from '../../cycles/cycles.ts';
import { itemFilters } from '../../cycles/filters.ts';
import { PEER_GROUPS, REASONS } from '../../cycles/recommend.ts';
import { ItemView, itemView } from '../../cycles/routes/item-schemas.ts';
import { cycles, deciding, type ReviewTools } from '../../cycles/routes/resources.ts';
import { handOverItems } from '../hand-over.ts';

const UUID = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';

const Items = Type.Optional(
  Type.String({
    pattern: `^${UUID}(?:,${UUID}){0,99}$`,
    description: 'The ids of up to 100 items, separated by commas. Without it, the result is empty.',
  }),
);

const Granted = Component('ReviewItemGrant', {
  at: Timestamp,
  decision: Nullable(
    Type.Object(
      {
        task: Uuid,
        task_type: Type.Enum([...TASK_TYPES]),
        request_number: Nullable(Type.Integer()),
        policy_name: Nullable(Type.String()),
        decided_by: Nullable(PersonEmail),
      },
      {
        description:
          'Null: a sync discovered the access. `decided_by` is the last approver of a request, the reviewer, or the administrator.',
      },
    ),
  ),
});

const Peers = Component('ReviewItemPeers', {
  group: Type.Enum([...PEER_GROUPS]),
  name: Nullable(Type.String({ description: 'The department or title. Null for a manager.' })),
  of: Type.Integer({ description: 'The number of other active people in the group, at least 3.' }),
  have: Type.Integer({ description: 'How many of them have the same access.' }),
});

const Prior = Component('PriorReviewDecision', {
  campaign: Type.String(),
  cycle_id: Uuid,
  decision: Decision,
  decided_by: Nullable(PersonEmail),
  decided_at: Timestamp,
});

const ItemContextView = Component('ReviewItemContext', {
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

const HandOver = Component('ReviewReassignment', {
  items: Type.Array(Uuid, { minItems: 1, maxItems: 1000 }),
  to: Type.Array(Uuid, { minItems: 1, maxItems: 20 }),
  reason: Type.String({ minLength: 1, maxLength: 2000 }),
});

const onReplica = { ...cycles.reading, reads: 'replica' } as const;

export const itemRoutes = ({ readGrantDecisions }: ReviewTools) => [
  cycles.listOf(
    'items/',
    'List items of a cycle',
    {
      config: onReplica,
      query: {
        mine: Type.Optional(Type.Boolean({ description: 'true: only items that you review.' })),
        ...itemFilters.query,
        order: Type.Optional(
          Type.Enum(['account', 'access'], {
            default: 'account',
            description:
              'account: all items of an account together. access: all items of a group or license.',
          }),
        ),
      },
      item: ItemView,
      isLong: true,
    },
    async ({ call, found, query: { mine = false, order = 'account', ...filter } }, page) => {
      const slice = await listItems(call, found.id, { mine, order, ...filter }, page);
      return { ...slice, results: slice.results.map(itemView) };
    },
  ),
  cycles.one.get(
    'items/context/',
    'Get the context of items of a cycle',
    {
      description:
        'Returns what helps to decide items, as of now. Items that do not exist, or that a member does not review, are left out.',
      config: onReplica,
      query: { items: Items },
      reply: Component('ReviewItemContexts', { results: Type.Array(ItemContextView) }),
    },
    async ({ call, found, query: { items = '' } }) => {
      const tools = { db: call.db, readGrantDecisions };
      const ids = items.split(',').filter(Boolean);
      return { results: (await contextOfItems(tools, call, found.id, ids)).map(view) };
    },
  ),
  cycles.one.post(
    'items/reassign/',
    'Reassign undecided items of a cycle',
    {
      description:
        'Hands over all named items, or none. An administrator replaces all reviewers of an item, a reviewer themselves.',
      config: deciding,
      body: HandOver,
      reply: Component('ReviewReassignmentResult', { reassigned: Type.Integer() }),
    },
    async ({ call, found, body }) => {
      await handOverItems(call, found.id, body);
      return { reassigned: new Set(body.items.map((id) => id.toLowerCase())).size };
    },
  ),
  cycles.one.get(
    'items/reassign/candidates/',
    'Search people to whom items can be reassigned',
    {
      description: 'For administrators and people with undecided items in the cycle.',
      config: deciding,
      query: CandidateSearch.properties,
      reply: Candidates,
    },
    async ({ call, found, query }) => candidates(await searchReviewers(call, found.id, query.q ?? '')),
  ),
];
