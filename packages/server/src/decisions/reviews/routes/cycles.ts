import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Nullable, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { causeOf } from '../../../kit/identity/cause.ts';
import { getCycle, listCycles, listReviewers, planOfCycle } from '../cycles.ts';
import { decideItems } from '../decide.ts';
import { evidenceAsCsv, evidenceAsJson, recordExport } from '../evidence.ts';
import { remindReviewer } from '../remind.ts';
import { CycleView, cycleView } from './cycle-schemas.ts';
import { ItemView, itemView } from './item-schemas.ts';
import {
  allApps,
  CampaignParams,
  Comment,
  CycleParams,
  CycleStatus,
  Decision,
  deciding,
  knownCampaign,
  knownCycle,
  managing,
  reading,
  reviewing,
  tags,
} from './schemas.ts';

export function listCampaignCyclesRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/reviews/:review_id/cycles/',
    {
      config: { ...reading, reads: 'replica' },
      onRequest: knownCampaign(db),
      schema: {
        tags,
        summary: 'List cycles of a campaign',
        params: CampaignParams,
        querystring: Type.Object({ ...pageQuery, status: Type.Optional(CycleStatus) }),
        response: { 200: envelope(CycleView) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { status = null } = request.query;
      const filter = { campaign: request.params.review_id, status, mine: false };
      const { count, results } = await listCycles(callOf(db, request), filter, page);
      return listReply(request, origin(request), page, {
        count,
        results: results.map((cycle) => cycleView(cycle, request.principal)),
      });
    },
  );
}

const Filters = Type.Object({
  ...pageQuery,
  status: Type.Optional(CycleStatus),
  mine: Type.Optional(Type.Boolean({ description: 'true: only cycles with items that you review.' })),
});

export function listCyclesRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/reviews/cycles/',
    {
      config: { ...reviewing, reads: 'replica' },
      onRequest: allApps,
      schema: {
        tags,
        summary: 'List cycles of all campaigns',
        querystring: Filters,
        response: { 200: envelope(CycleView) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { status = null, mine = false } = request.query;
      const filter = { campaign: null, status, mine };
      const { count, results } = await listCycles(callOf(db, request), filter, page);
      return listReply(request, origin(request), page, {
        count,
        results: results.map((cycle) => cycleView(cycle, request.principal)),
      });
    },
  );
}

export function getCycleRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/reviews/cycles/:cycle_id/',
    {
      config: reviewing,
      onRequest: knownCycle(db),
      schema: { tags, summary: 'Get cycle', params: CycleParams, response: { 200: CycleView } },
    },
    async (request) =>
      cycleView(await getCycle(callOf(db, request), request.params.cycle_id), request.principal),
  );
}

const Count = Type.Integer();

const Plan = Component('ReviewCyclePlan', {
  ...envelope(ItemView).properties,
  counts: Type.Object({
    accounts: Type.Object({ suspended: Count, removed: Count }),
    memberships: Type.Object({ removed: Count }),
  }),
  needs_confirmation: Type.Boolean({
    description: 'Whether the tasks would be held because they exceed the daily budget of an app.',
  }),
});

/** D46. */
export function planCycleRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/reviews/cycles/:cycle_id/plan/',
    {
      config: reading,
      onRequest: knownCycle(db),
      schema: {
        tags,
        summary: 'Preview the revocations of a cycle',
        description:
          'Returns the items whose access is revoked and still exists, or would be revoked if the cycle closed now.',
        params: CycleParams,
        querystring: Type.Object(pageQuery),
        response: { 200: Plan },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { counts, needs_confirmation, count, results } = await planOfCycle(
        callOf(db, request),
        request.params.cycle_id,
        page,
      );
      return {
        ...listReply(request, origin(request), page, { count, results: results.map(itemView) }),
        counts,
        needs_confirmation,
      };
    },
  );
}

const Progress = Component('ReviewerProgress', {
  reviewer: Nullable(
    Type.Object(
      { external_uuid: Uuid, email: Type.String(), name: Type.String() },
      { description: 'Null: the administrators, who decide items without reviewers.' },
    ),
  ),
  items: Type.Integer(),
  decided: Type.Integer({ description: 'By this reviewer, or by somebody else in their place.' }),
  open: Type.Integer(),
  overdue: Type.Integer({ description: 'Items that nobody had decided by the due date.' }),
  cannot_sign_in: Type.Boolean({
    description:
      'Whether the reviewer has neither a password nor a passkey, and no identity provider can sign them in.',
  }),
  reminded_at: Nullable(Timestamp),
});

export function listReviewersRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/reviews/cycles/:cycle_id/reviewers/',
    {
      config: { ...reading, reads: 'replica' },
      onRequest: knownCycle(db),
      schema: {
        tags,
        summary: 'List reviewers of a cycle',
        description:
          'Returns the progress of each reviewer, those with the most undecided items first. An item with several reviewers counts for each of them. `reminded_at` is the time at which an administrator last reminded the reviewer.',
        params: CycleParams,
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(Progress) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { db } = request.reads;
      const slice = await listReviewers(callOf(db, request), request.params.cycle_id, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}

export function remindReviewerRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/reviews/cycles/:cycle_id/reviewers/:user_id/remind/',
    {
      config: managing,
      onRequest: knownCycle(db),
      schema: {
        tags,
        summary: 'Remind a reviewer of undecided items',
        description:
          'Sends a notification to the reviewer, and to the people who review in their place. At most one per reviewer, cycle and hour.',
        params: Type.Object({ cycle_id: Uuid, user_id: Uuid }),
        response: {
          200: Component('ReviewReminder', {
            reminded_at: Timestamp,
            items: Type.Integer({ description: 'The number of undecided items of the reviewer.' }),
          }),
        },
      },
    },
    async (request) => {
      const { principal, params } = request;
      return remindReviewer(within(db, principal.orgId), params.cycle_id, params.user_id, causeOf(request));
    },
  );
}

const Decisions = Component('ReviewDecisions', {
  items: Type.Array(Uuid, { minItems: 1, maxItems: 1000 }),
  decision: Nullable(Decision),
  comment: Comment,
  only_own: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether to return 409, and change nothing, unless the caller made the current decision of every item. For undoing decisions. Undecided items do not matter if `decision` is null.',
    }),
  ),
  at_giver: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'For revocations: whether access that another group or license gives is taken away by removing that one from the account (`context.source` of the item). Without it, such a revocation is 409, unless that one is revoked as well.',
    }),
  ),
});

export function decideItemsRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/reviews/cycles/:cycle_id/decisions/',
    {
      config: deciding,
      onRequest: knownCycle(db),
      schema: {
        tags,
        summary: 'Decide items of a cycle',
        description:
          'Decides all named items, or none. The decision null makes items of an open cycle undecided again.',
        params: CycleParams,
        body: Decisions,
        response: { 200: CycleView },
      },
    },
    async (request) => {
      const { params, body } = request;
      const { items, decision, comment = null, only_own: onlyOwn = false, at_giver: atGiver = false } = body;
      const wanted = { items, decision, comment, onlyOwn, atGiver };
      return cycleView(await decideItems(callOf(db, request), params.cycle_id, wanted), request.principal);
    },
  );
}

const Format = Type.Object({ format: Type.Optional(Type.Enum(['json', 'csv'])) });

export function exportEvidenceRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/reviews/cycles/:cycle_id/evidence/',
    {
      config: { ...reading, reads: 'replica' },
      onRequest: knownCycle(db),
      schema: {
        tags,
        summary: 'Export the evidence of a cycle',
        description:
          'Each decision with the person, the time and the reason, and the result of each revocation.',
        params: CycleParams,
        querystring: Format,
        response: { 200: { description: 'The cycle and all its items as JSON, or the items as CSV.' } },
      },
    },
    async (request, reply) => {
      const { db } = request.reads;
      const { principal, params, query } = request;
      const { cycle_id } = params;
      const { format = 'json' } = query;
      const { orgId } = principal;
      await recordExport(within(db, orgId), cycle_id, format, causeOf(request));
      reply.header('content-disposition', `attachment; filename="review-${cycle_id}.${format}"`);
      if (format === 'csv') {
        reply.type('text/csv; charset=utf-8');
        return reply.send(Readable.from(evidenceAsCsv(within(db, orgId), cycle_id)));
      }
      const cycle = cycleView(await getCycle(callOf(db, request), cycle_id), request.principal);
      reply.type('application/json; charset=utf-8');
      const head = { cycle, generated_at: new Date() };
      return reply.send(Readable.from(evidenceAsJson(within(db, orgId), cycle_id, head, itemView)));
    },
  );
}
