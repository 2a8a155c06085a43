import { Type } from 'typebox';
import { PersonEmail } from '../../../directory/people/reference.ts';
import { UndecidedView, undecidedView } from '../../../directory/people/undecided.ts';
import { within } from '../../../kit/database/organization.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { IfMatchHeader, ifMatchOf, withVersion } from '../../../kit/http/versions.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { causeOf } from '../../../kit/identity/cause.ts';
import {
  campaignVersion,
  changeCampaign,
  createCampaign,
  deleteCampaign,
  getCampaign,
} from '../campaigns.ts';
import { listCampaigns } from '../facts.ts';
import { startCycle } from '../open.ts';
import { previewCampaign } from '../preview.ts';
import {
  CampaignChange,
  CampaignView,
  campaignView,
  changeIn,
  NewCampaign,
  settingsIn,
} from './campaign-schemas.ts';
import { CycleView, cycleView } from './cycle-schemas.ts';
import {
  allApps,
  CampaignParams,
  knownCampaign,
  managing,
  type ReviewTools,
  reading,
  tags,
} from './schemas.ts';

export function listCampaignsRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/reviews/',
    {
      config: { ...reading, reads: 'replica' },
      onRequest: allApps,
      schema: {
        tags,
        summary: 'List campaigns',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(CampaignView) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { count, results } = await listCampaigns(within(db, request.principal.orgId), page);
      return listReply(request, origin(request), page, { count, results: results.map(campaignView) });
    },
  );
}

export function createCampaignRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/reviews/',
    {
      config: managing,
      onRequest: allApps,
      schema: { tags, summary: 'Create campaign', body: NewCampaign, response: { 201: CampaignView } },
    },
    async (request, reply) => {
      const { body } = request;
      const campaign = await createCampaign(callOf(db, request), settingsIn(body));
      reply.code(201);
      return campaignView(campaign);
    },
  );
}

export function getCampaignRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/reviews/:review_id/',
    {
      config: reading,
      onRequest: knownCampaign(db),
      schema: {
        tags,
        summary: 'Get campaign',
        params: CampaignParams,
        response: { 200: withVersion(CampaignView) },
      },
    },
    async ({ principal, params }, reply) => {
      const campaign = await getCampaign(within(db, principal.orgId), params.review_id);
      reply.header('ETag', campaignVersion(campaign));
      return campaignView(campaign);
    },
  );
}

export function changeCampaignRoute(http: Http, { db }: RouteTools) {
  http.patch(
    '/api/reviews/:review_id/',
    {
      config: managing,
      onRequest: knownCampaign(db),
      schema: {
        tags,
        summary: 'Change campaign',
        description: 'Takes effect with the next cycle. Open cycles keep their settings.',
        params: CampaignParams,
        headers: IfMatchHeader,
        body: CampaignChange,
        response: { 200: withVersion(CampaignView) },
      },
    },
    async (request, reply) => {
      const { principal, params, body } = request;
      const campaign = await changeCampaign(
        within(db, principal.orgId),
        params.review_id,
        changeIn(body),
        causeOf(request),
        ifMatchOf(request),
      );
      reply.header('ETag', campaignVersion(campaign));
      return campaignView(campaign);
    },
  );
}

export function deleteCampaignRoute(http: Http, { db }: RouteTools) {
  http.delete(
    '/api/reviews/:review_id/',
    {
      config: managing,
      onRequest: knownCampaign(db),
      schema: {
        tags,
        summary: 'Delete campaign',
        description: 'No further cycle opens. Existing cycles stay as evidence, and an open one continues.',
        params: CampaignParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteCampaign(within(db, request.principal.orgId), request.params.review_id, causeOf(request));
      reply.code(204);
      return null;
    },
  );
}

export function startCycleRoute(http: Http, { db, jobs }: ReviewTools) {
  http.post(
    '/api/reviews/:review_id/start/',
    {
      config: managing,
      onRequest: knownCampaign(db),
      schema: {
        tags,
        summary: 'Start a cycle now',
        params: CampaignParams,
        response: { 201: CycleView },
      },
    },
    async (request, reply) => {
      const { params } = request;
      const cycle = await startCycle({ db, jobs }, callOf(db, request), params.review_id);
      reply.code(201);
      return cycleView(cycle, request.principal);
    },
  );
}

const Delicate = (description: string) =>
  Component(
    'DelicateAccounts',
    {
      count: Type.Integer(),
      results: Type.Array(
        Component('DelicateAccount', {
          external_uuid: Uuid,
          account: Type.String(),
          app: Type.String(),
          groups: Type.Array(Type.String()),
        }),
        { description: 'At most 20.' },
      ),
    },
    { description },
  );

const Preview = Component('ReviewPreview', {
  accounts: Type.Integer({ description: 'The accounts with something to review.' }),
  items: Type.Integer(),
  more: Type.Boolean({ description: 'Whether there are more than 20,000 accounts. Only these are counted.' }),
  cannot_sign_in: Type.Array(PersonEmail, {
    description:
      'Reviewers who have neither a password nor a passkey, and whom no identity provider can sign in. At most 20.',
  }),
  without_reviewer: Type.Integer({
    description:
      'The items for which nobody is named, or nobody who can sign in. If no administrator decides them, `on_no_response` does.',
  }),
  own_accounts: Delicate('Accounts with which connectors sign in. They can only be kept.'),
  last_members: Delicate(
    'Accounts that are the only usable member of a group whose risk is high. Only the decision of a person removes them.',
  ),
  one_stays: Component(
    'DelicateGroups',
    {
      count: Type.Integer(),
      results: Type.Array(
        Component('DelicateGroup', {
          external_uuid: Uuid,
          group: Type.String(),
          app: Type.String(),
          members: Type.Integer({ description: 'The members that can be used. All of them are reviewed.' }),
        }),
        { description: 'At most 20.' },
      ),
    },
    {
      description:
        'Groups whose risk is high and that could lose several members at the same time, and all they have. Without a response, one member stays.',
    },
  ),
  undecided: UndecidedView,
});

export function previewCampaignRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/reviews/:review_id/preview/',
    {
      config: { ...reading, reads: 'replica' },
      onRequest: knownCampaign(db),
      schema: {
        tags,
        summary: 'Count the items of a campaign',
        description:
          'Counts the items that a cycle would have if it opened now, and lists reviewers who cannot sign in, and accounts that must not go.',
        params: CampaignParams,
        response: { 200: Preview },
      },
    },
    async ({ principal, params, reads }) => {
      const preview = await previewCampaign(within(reads.db, principal.orgId), params.review_id);
      return { ...preview, undecided: undecidedView(preview.undecided) };
    },
  );
}
