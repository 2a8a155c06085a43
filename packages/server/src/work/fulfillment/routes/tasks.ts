import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { PersonReference } from '../../../directory/people/reference.ts';
import { within } from '../../../kit/database/organization.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../../kit/http/lists.ts';
import { Component, Nullable, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { attachmentOf, contentOf } from '../attachments.ts';
import { candidatesFor, reassignTask } from '../reassign.ts';
import { completeAsPerson, REFUSAL_CODES, refuseAsPerson } from '../report.ts';
import { listFulfillment } from '../tasks.ts';
import {
  AttachmentParams,
  DetailsItem,
  ListedItem,
  listedItem,
  personal,
  personalForAllApps,
  readDetails,
  reading,
  TaskParams,
  tags,
  visible,
} from './schemas.ts';

const Filters = Type.Object({
  ...longPageQuery,
  mine: Type.Optional(Type.Boolean({ default: false, description: 'Only tasks assigned to the caller.' })),
  state: Type.Optional(Type.Enum(['open', 'ended'], { default: 'open' })),
  app: Type.Optional(Uuid),
});

export function listFulfillmentRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/fulfillment/tasks/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List tasks that people carry out',
        description:
          'Open tasks by due date, or ended tasks from the newest. Members see their own tasks and those of the apps that they own.',
        querystring: Filters,
        response: { 200: longEnvelope(ListedItem) },
      },
    },
    async (request) => {
      const { mine = false, state = 'open', app = null } = request.query;
      const page = pageOf(request.query);
      const slice = await listFulfillment(callOf(db, request), { mine, state, app }, page);
      const { results, ...counts } = slice;
      return listReply(request, origin(request), page, { ...counts, results: results.map(listedItem) });
    },
  );
}

export function getFulfillmentRoute(http: Http, tools: RouteTools) {
  http.get(
    '/api/fulfillment/tasks/:task_id/',
    {
      config: reading,
      onRequest: visible(tools),
      schema: {
        tags,
        summary: 'Get a task that a person carries out',
        params: TaskParams,
        response: { 200: DetailsItem },
      },
    },
    async (request) => readDetails(tools.db, request),
  );
}

export function completeTaskRoute(http: Http, tools: RouteTools) {
  http.post(
    '/api/fulfillment/tasks/:task_id/complete/',
    {
      config: personal,
      onRequest: visible(tools),
      schema: {
        tags,
        summary: 'Mark a task as done',
        description:
          "Only the task's assignee can. Has the effects and events of a connector's report. Repeating the same report returns the same task.",
        params: TaskParams,
        body: Component('FulfillmentReport', {
          account_id: Type.Optional(
            Nullable(
              Type.String({
                minLength: 1,
                maxLength: 512,
                description:
                  'Required for create_account: the id, username or email of the account in the app.',
              }),
            ),
          ),
          note: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
        }),
        response: { 200: DetailsItem },
      },
    },
    async (request) => {
      const { account_id: accountId = null, note = null } = request.body;
      const { params } = request;
      await completeAsPerson(callOf(tools.db, request), params.task_id, { accountId, note });
      return readDetails(tools.db, request);
    },
  );
}

export function refuseTaskRoute(http: Http, tools: RouteTools) {
  http.post(
    '/api/fulfillment/tasks/:task_id/refuse/',
    {
      config: personal,
      onRequest: visible(tools),
      schema: {
        tags,
        summary: 'Refuse a task',
        description: "Only the task's assignee can. The task fails, and is not retried automatically.",
        params: TaskParams,
        body: Component('FulfillmentRefusal', {
          code: Type.Enum([...REFUSAL_CODES]),
          message: Type.String({ minLength: 1, maxLength: 2000, description: 'Shown to administrators.' }),
        }),
        response: { 200: DetailsItem },
      },
    },
    async (request) => {
      const { params, body } = request;
      await refuseAsPerson(callOf(tools.db, request), params.task_id, body);
      return readDetails(tools.db, request);
    },
  );
}

export function reassignTaskRoute(http: Http, tools: RouteTools) {
  http.post(
    '/api/fulfillment/tasks/:task_id/reassign/',
    {
      config: personal,
      onRequest: visible(tools),
      schema: {
        tags,
        summary: 'Hand a task to another person',
        params: TaskParams,
        body: Component('FulfillmentReassignment', {
          assignee: Uuid,
          reason: Type.String({ minLength: 1, maxLength: 2000 }),
        }),
        // A member who handed a task over can no longer see it.
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      await reassignTask(callOf(tools.db, request), params.task_id, body);
      reply.code(204);
      return null;
    },
  );
}

export function listCandidatesRoute(http: Http, tools: RouteTools) {
  http.get(
    '/api/fulfillment/tasks/:task_id/candidates/',
    {
      config: personalForAllApps,
      onRequest: visible(tools),
      schema: {
        tags,
        summary: 'List the people who can take over a task',
        description: 'The present fulfillers of the app, its owner and administrators.',
        params: TaskParams,
        response: {
          200: Component('FulfillmentCandidates', {
            results: Type.Array(PersonReference),
          }),
        },
      },
    },
    async ({ principal, params }) => {
      const found = await candidatesFor(within(tools.db, principal.orgId), params.task_id);
      return { results: found.map(({ id, ...person }) => ({ ...person, external_uuid: id })) };
    },
  );
}

export function getAttachmentRoute(http: Http, tools: RouteTools) {
  http.get(
    '/api/fulfillment/tasks/:task_id/attachments/:attachment_id/',
    {
      config: reading,
      onRequest: visible(tools),
      schema: {
        tags,
        summary: 'Download an attachment',
        description: 'Always a download of the type application/octet-stream, whatever the file contains.',
        params: AttachmentParams,
        response: {
          200: { content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } } },
        },
      },
    },
    async ({ principal, params }, reply) => {
      const { db } = tools;
      const file = await attachmentOf(within(db, principal.orgId), params.task_id, params.attachment_id);
      // RFC 8187: the name can have any characters, and none of them ends the header.
      const name = encodeURIComponent(file.name.toWellFormed()).replace(
        /['()*]/g,
        (mark) => `%${mark.charCodeAt(0).toString(16)}`,
      );
      reply.headers({
        'content-disposition': `attachment; filename="attachment"; filename*=UTF-8''${name}`,
        'content-security-policy': "default-src 'none'; sandbox",
        'content-length': file.size,
      });
      reply.type('application/octet-stream');
      return (reply as FastifyReply).send(
        Readable.from(contentOf(within(db, principal.orgId), file)),
      ) as never;
    },
  );
}
