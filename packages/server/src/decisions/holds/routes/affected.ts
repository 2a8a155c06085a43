import { Type } from 'typebox';
import { PersonReference } from '../../../directory/people/reference.ts';
import { AppName } from '../../../inventory/apps/reference.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../../kit/http/lists.ts';
import { Component, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { ACTIONS } from '../../../work/provisioning/task.ts';
import { listAffected, previewHold } from '../affected.ts';

const tags = ['Holds'];
const reading = { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } } as const;
const params = Type.Object({ hold_id: Uuid });
const Count = Type.Integer({ minimum: 0 });

const HoldPerson = Component('HoldPerson', {
  user: { ...PersonReference, description: 'The texts are empty if the person was deleted.' },
  type: Type.Enum(['left', 'succeeded', 'successor'], {
    description:
      'left: was deactivated or deleted, or left the group. succeeded: lost the email to a successor. successor: has it now, and does not count.',
  }),
  status: Type.Enum(['active', 'deactivated', 'deleted']),
  at: Timestamp,
});

export function listHoldPeopleRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/holds/:hold_id/people/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List the people of a hold',
        description: 'The latest first. Empty for the kind app. People who are back are left out.',
        params,
        querystring: Type.Object(longPageQuery),
        response: { 200: longEnvelope(HoldPerson) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const slice = await listAffected(callOf(db, request), request.params.hold_id, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}

const HoldPreview = Component('HoldPreview', {
  tasks: Type.Array(
    Component('HoldTasks', {
      app: AppName,
      action: Type.Enum([...ACTIONS], { title: 'TaskAction' }),
      count: Count,
    }),
    { description: 'The tasks that wait, by app and action. Discarding the hold cancels them.' },
  ),
  policies: Type.Array(Component('HoldPolicy', { policy_id: Uuid, subjects: Count, tasks: Count }), {
    description:
      'The policies that decide again about people or accounts when the hold is confirmed, with the number of tasks that they would have created.',
  }),
});

export function previewHoldRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/holds/:hold_id/preview/',
    {
      config: reading,
      schema: { tags, summary: 'Show what waits in a hold', params, response: { 200: HoldPreview } },
    },
    async (request) => previewHold(callOf(db, request), request.params.hold_id),
  );
}
