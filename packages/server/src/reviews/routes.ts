import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { causeOf } from '../identity/cause.ts';
import { requireAllApps } from '../identity/principal.ts';
import { notFound } from '../platform/errors.ts';
import { envelope, listReply, pageOf, pageQuery } from '../platform/http/lists.ts';
import { Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import { isUuid } from '../platform/ids.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import * as campaigns from './campaign.ts';
import { KINDS } from './cycle.ts';
import { decide } from './decide.ts';
import { evidenceAsCsv, evidenceAsJson } from './evidence.ts';
import { cycleOf, listCycles, listItems } from './items.ts';
import { startCycle } from './open.ts';
import {
  CampaignChange,
  CampaignView,
  CycleView,
  campaignView,
  cycleView,
  DEFAULTS,
  Decisions,
  ItemView,
  itemView,
  NewCampaign,
  settingsIn,
} from './schemas.ts';

const managing = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
const reading = { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } } as const;
const reviewing = { access: { scope: 'govern' } } as const;
const deciding = { access: { scope: 'govern', roles: ['owner', 'admin', 'member'] } } as const;
const tags = ['Access reviews'];

const CampaignParams = Type.Object({ review_id: Uuid });
const CycleParams = Type.Object({ cycle_id: Uuid });
const CycleStatus = Type.Enum(['scheduled', 'in_progress', 'completed']);
const Mine = Type.Boolean({ description: 'Only what is yours to review.' });

/** Reviews are the whole organization's: like the events, no key for listed apps reads them (D7). */
const onReviews = async ({ principal }: FastifyRequest) => requireAllApps(principal, 'access reviews');

/** Access reviews (governance.md "Access reviews", "Roles"). */
export function reviewRoutes(http: Http, tools: RouteTools & { jobs: Jobs }) {
  campaignRoutes(http, tools);
  cycleRoutes(http, tools);
}

function campaignRoutes(http: Http, { db, jobs, origin }: RouteTools & { jobs: Jobs }) {
  /** 404 before the body is looked at (D6). */
  const onCampaign = [
    onReviews,
    async ({ principal, params }: FastifyRequest) => {
      const { review_id } = params as { review_id: string };
      if (!isUuid(review_id)) throw notFound('Campaign');
      await campaigns.campaignOf(db, principal.orgId, review_id);
    },
  ];

  http.get(
    '/api/reviews/',
    {
      config: reading,
      onRequest: onReviews,
      schema: {
        tags,
        summary: 'List campaigns',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(CampaignView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { count, results } = await campaigns.listCampaigns(db, request.principal.orgId, page);
      return listReply(request, origin(request), page, { count, results: results.map(campaignView) });
    },
  );

  http.post(
    '/api/reviews/',
    {
      config: managing,
      onRequest: onReviews,
      schema: { tags, summary: 'Create a campaign', body: NewCampaign, response: { 201: CampaignView } },
    },
    async ({ principal, body }, reply) => {
      const settings = { ...DEFAULTS, name: body.name, ...settingsIn(body) };
      const campaign = await campaigns.createCampaign(db, principal, settings);
      reply.code(201);
      return campaignView(campaign);
    },
  );

  http.get(
    '/api/reviews/:review_id/',
    {
      config: reading,
      onRequest: onCampaign,
      schema: { tags, summary: 'Get campaign', params: CampaignParams, response: { 200: CampaignView } },
    },
    async ({ principal, params }) =>
      campaignView(await campaigns.campaignOf(db, principal.orgId, params.review_id)),
  );

  http.patch(
    '/api/reviews/:review_id/',
    {
      config: managing,
      onRequest: onCampaign,
      schema: {
        tags,
        summary: 'Change a campaign, from its next cycle on',
        params: CampaignParams,
        body: CampaignChange,
        response: { 200: CampaignView },
      },
    },
    async ({ principal, params, body }) =>
      campaignView(await campaigns.changeCampaign(db, principal.orgId, params.review_id, settingsIn(body))),
  );

  http.delete(
    '/api/reviews/:review_id/',
    {
      config: managing,
      onRequest: onCampaign,
      schema: {
        tags,
        summary: 'Delete a campaign; its cycles stay',
        params: CampaignParams,
        response: { 204: Type.Null() },
      },
    },
    async ({ principal, params }, reply) => {
      await campaigns.deleteCampaign(db, principal.orgId, params.review_id);
      reply.code(204);
      return null;
    },
  );

  http.post(
    '/api/reviews/:review_id/start/',
    {
      config: managing,
      onRequest: onCampaign,
      schema: { tags, summary: 'Open a cycle now', params: CampaignParams, response: { 201: CycleView } },
    },
    async ({ principal, params }, reply) => {
      const cycleId = await startCycle({ db, jobs }, principal.orgId, params.review_id);
      reply.code(201);
      return cycleView(await cycleOf(db, principal, cycleId));
    },
  );

  http.get(
    '/api/reviews/:review_id/cycles/',
    {
      config: reading,
      onRequest: onCampaign,
      schema: {
        tags,
        summary: 'List cycles of a campaign',
        params: CampaignParams,
        querystring: Type.Object({ ...pageQuery, status: Type.Optional(CycleStatus) }),
        response: { 200: envelope(CycleView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { status = null } = request.query;
      const filter = { campaign: request.params.review_id, status, mine: false };
      const { count, results } = await listCycles(db, request.principal, filter, page);
      return listReply(request, origin(request), page, { count, results: results.map(cycleView) });
    },
  );
}

function cycleRoutes(http: Http, { db, origin }: RouteTools) {
  const onCycle = [
    onReviews,
    async ({ principal, params }: FastifyRequest) => {
      await cycleOf(db, principal, (params as { cycle_id: string }).cycle_id);
    },
  ];

  http.get(
    '/api/reviews/cycles/',
    {
      config: reviewing,
      onRequest: onReviews,
      schema: {
        tags,
        summary: 'List cycles of all campaigns',
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(CycleStatus),
          mine: Type.Optional(Mine),
        }),
        response: { 200: envelope(CycleView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { status = null, mine = false } = request.query;
      const { count, results } = await listCycles(
        db,
        request.principal,
        { campaign: null, status, mine },
        page,
      );
      return listReply(request, origin(request), page, { count, results: results.map(cycleView) });
    },
  );

  http.get(
    '/api/reviews/cycles/:cycle_id/',
    {
      config: reviewing,
      onRequest: onCycle,
      schema: { tags, summary: 'Get cycle', params: CycleParams, response: { 200: CycleView } },
    },
    async ({ principal, params }) => cycleView(await cycleOf(db, principal, params.cycle_id)),
  );

  http.get(
    '/api/reviews/cycles/:cycle_id/items/',
    {
      config: reviewing,
      onRequest: onCycle,
      schema: {
        tags,
        summary: 'List items of a cycle',
        params: CycleParams,
        querystring: Type.Object({
          ...pageQuery,
          mine: Type.Optional(Mine),
          decision: Type.Optional(
            Type.Enum(['keep', 'revoke', 'none'], { description: 'none: not decided yet.' }),
          ),
          kind: Type.Optional(Type.Enum([...KINDS])),
          app: Type.Optional(Uuid),
          user: Type.Optional(Uuid),
        }),
        response: { 200: envelope(ItemView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { mine = false, decision = null, kind = null, app = null, user = null } = request.query;
      const { count, results } = await listItems(
        db,
        request.principal,
        request.params.cycle_id,
        { mine, decision, kind, app, user },
        page,
      );
      return listReply(request, origin(request), page, { count, results: results.map(itemView) });
    },
  );

  http.post(
    '/api/reviews/cycles/:cycle_id/decisions/',
    {
      config: deciding,
      onRequest: onCycle,
      schema: {
        tags,
        summary: 'Decide items of a cycle',
        params: CycleParams,
        body: Decisions,
        response: { 200: CycleView },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const cause = causeOf(request);
      await decide(db, principal, params.cycle_id, { ...body, comment: body.comment ?? null }, cause);
      return cycleView(await cycleOf(db, principal, params.cycle_id));
    },
  );

  http.get(
    '/api/reviews/cycles/:cycle_id/evidence/',
    {
      config: reading,
      onRequest: onCycle,
      schema: {
        tags,
        summary: 'Evidence of a cycle: who decided what, when, why, and what came of it',
        params: CycleParams,
        querystring: Type.Object({ format: Type.Optional(Type.Enum(['json', 'csv'])) }),
        response: { 200: { description: 'The cycle with all its items as JSON, or the items as CSV.' } },
      },
    },
    async ({ principal, params, query }, reply) => {
      const { orgId } = principal;
      const { cycle_id } = params;
      const { format = 'json' } = query;
      reply.header('content-disposition', `attachment; filename="review-${cycle_id}.${format}"`);
      if (format === 'csv') {
        reply.type('text/csv; charset=utf-8');
        return reply.send(Readable.from(evidenceAsCsv(db, orgId, cycle_id)));
      }
      const cycle = cycleView(await cycleOf(db, principal, cycle_id));
      reply.type('application/json; charset=utf-8');
      const head = { cycle, generated_at: new Date() };
      return reply.send(Readable.from(evidenceAsJson(db, orgId, cycle_id, head, itemView)));
    },
  );
}
