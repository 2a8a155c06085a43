import { Type } from 'typebox';
import { PersonReference } from '../../../directory/people/reference.ts';
import { withApp } from '../../../inventory/apps/with-app.ts';
import { Component, Nullable, Uuid } from '../../../kit/http/schemas.ts';
import type { Http } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { previewApproval } from '../preview.ts';
import { APPROVER_RANKS } from '../ticket.ts';
import { requesting, Steps, type TicketTools, tags } from './schemas.ts';

const PreviewedStep = Component('PreviewedApprovalStep', {
  ...Steps.items.properties,
  via: Nullable(
    Type.Enum([...APPROVER_RANKS], { description: 'Why these people decide. Null: nobody can decide now.' }),
  ),
  people: Type.Array(PersonReference, {
    description: 'The people who could decide now. Empty if the administrators of the organization decide.',
  }),
});

export function previewApprovalRoute(http: Http, { db }: TicketTools) {
  http.get(
    '/api/apps/:app_id/approval/',
    {
      config: requesting,
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'Preview who decides a request',
        description:
          'By the approval steps of the app, and the same rules as for tickets. Members ask for themselves and for the people who report to them.',
        params: Type.Object({ app_id: Uuid }),
        querystring: Type.Object({
          user: Type.Optional({ ...Uuid, description: 'The user who needs access. Default: the caller.' }),
          requester: Type.Optional({
            ...Uuid,
            description: 'Only administrators can name another requester. Default: the caller.',
          }),
        }),
        response: { 200: Component('ApprovalPreview', { steps: Type.Array(PreviewedStep) }) },
      },
    },
    async (request) => {
      const { user = null, requester = null } = request.query;
      return { steps: await previewApproval(callOf(db, request), request.bridgeApp.id, { user, requester }) };
    },
  );
}
