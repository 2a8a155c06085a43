import { Type } from 'typebox';
import { PersonEmail } from '../../../directory/people/reference.ts';
import {
  CandidateSearch,
  Candidates,
  candidates,
} from '../../../directory/people/routes/candidate-schemas.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../../kit/http/lists.ts';
import { Component, Nullable, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { TASK_TYPES } from '../../../work/provisioning/task.ts';
import { searchReviewers } from '../candidates.ts';
import { contextOfItems, type ItemContext, type ReadGrantDecisions } from '../context.ts';
import { DECISIONS, KINDS } from '../cycle.ts';
import { listItems } from '../cycles.ts';
import { handOverItems } from '../hand-over.ts';
import { PEER_GROUPS, REASONS } from '../recommend.ts';
import { ItemView, itemView } from './item-schemas.ts';
import { CycleParams, Decision, deciding, knownCycle, reviewing, tags } from './schemas.ts';

const Filters = Type.Object({
  ...longPageQuery,
  mine: Type.Optional(Type.Boolean({ description: 'true: only items that you review.' })),
  decision: Type.Optional(Type.Enum([...DECISIONS, 'none'], { description: 'none: not decided yet.' })),
  kind: Type.Optional(Type.Enum([...KINDS])),
  app: Type.Optional(Uuid),
  user: Type.Optional(Uuid),
  reviewer: Type.Optional(Uuid),
  q: Type.Optional(
    Type.String({
      maxLength: 320,
      description:
        'Part of the name or email of the person or account, or of the name of the group or license.',
    }),
  ),
  order: Type.Optional(
    Type.Enum(['account', 'access'], {
      default: 'account',
      description: 'account: all items of an account together. access: all items of a group or license.',
    }),
  ),
});

export function listItemsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/reviews/cycles/:cycle_id/items/',
    {
      config: { ...reviewing, reads: 'replica' },
      onRequest: knownCycle(db),
      schema: {
        tags,
        summary: 'List items of a cycle',
        params: CycleParams,
        querystring: Filters,
        response: { 200: longEnvelope(ItemView) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { mine = false, decision = null, kind = null, app = null, user = null } = request.query;
      const { reviewer: assignee = null, q = '', order = 'account' } = request.query;
      const text = q.trim() === '' ? null : q.trim();
      const filter = { mine, decision, kind, app, user, assignee, q: text, order };
      const { cycle_id } = request.params;
      const slice = await listItems(callOf(db, request), cycle_id, filter, page);
      return listReply(request, origin(request), page, { ...slice, results: slice.results.map(itemView) });
    },
  );
}

const UUID = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';

const Items = Type.Object({
  items: Type.Optional(
    Type.String({
      pattern: `^${UUID}(?:,${UUID}){0,99}$`,
      description: 'The ids of up to 100 items, separated by commas. Without it, the result is empty.',
    }),
  ),
});

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

export function getItemContextRoute(
  http: Http,
  { db, readGrantDecisions }: RouteTools & { readGrantDecisions: ReadGrantDecisions },
) {
  http.get(
    '/api/reviews/cycles/:cycle_id/items/context/',
    {
      config: { ...reviewing, reads: 'replica' },
      onRequest: knownCycle(db),
      schema: {
        tags,
        summary: 'Get the context of items of a cycle',
        description:
          'Returns what helps to decide items, as of now. Items that do not exist, or that a member does not review, are left out.',
        params: CycleParams,
        querystring: Items,
        response: { 200: Component('ReviewItemContexts', { results: Type.Array(ItemContextView) }) },
      },
    },
    async (request) => {
      const tools = { db: request.reads.db, readGrantDecisions };
      const items = await contextOfItems(
        tools,
        callOf(tools.db, request),
        request.params.cycle_id,
        request.query.items?.split(',') ?? [],
      );
      return { results: items.map(view) };
    },
  );
}

const HandOver = Component('ReviewReassignment', {
  items: Type.Array(Uuid, { minItems: 1, maxItems: 1000 }),
  to: Type.Array(Uuid, { minItems: 1, maxItems: 20 }),
  reason: Type.String({ minLength: 1, maxLength: 2000 }),
});

export function reassignItemsRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/reviews/cycles/:cycle_id/items/reassign/',
    {
      config: deciding,
      onRequest: knownCycle(db),
      schema: {
        tags,
        summary: 'Reassign undecided items of a cycle',
        description:
          'Hands over all named items, or none. An administrator replaces all reviewers of an item, a reviewer themselves.',
        params: CycleParams,
        body: HandOver,
        response: { 200: Component('ReviewReassignmentResult', { reassigned: Type.Integer() }) },
      },
    },
    async (request) => {
      const { params, body } = request;
      await handOverItems(callOf(db, request), params.cycle_id, body);
      return { reassigned: new Set(body.items.map((id) => id.toLowerCase())).size };
    },
  );
}

export function searchReviewersRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/reviews/cycles/:cycle_id/items/reassign/candidates/',
    {
      config: deciding,
      onRequest: knownCycle(db),
      schema: {
        tags,
        summary: 'Search people to whom items can be reassigned',
        description: 'For administrators and people with undecided items in the cycle.',
        params: CycleParams,
        querystring: CandidateSearch,
        response: { 200: Candidates },
      },
    },
    async (request) =>
      candidates(await searchReviewers(callOf(db, request), request.params.cycle_id, request.query.q ?? '')),
  );
}
