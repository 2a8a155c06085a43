import { Type } from 'typebox';
import { PersonReference } from '../../../directory/people/reference.ts';
import { withApp } from '../../../inventory/apps/with-app.ts';
import { route } from '../../../kit/http/route.ts';
import { Component, Nullable, Uuid } from '../../../kit/http/schemas.ts';
import { previewApproval } from '../preview.ts';
import { APPROVER_RANKS } from '../ticket.ts';
import { requesting, Steps, tag } from './schemas.ts';

const PreviewedStep = Component('PreviewedApprovalStep', {
  ...Steps.items.properties,
  via: Nullable(
    Type.Enum([...APPROVER_RANKS], { description: 'Why these people decide. Null: nobody can decide now.' }),
  ),
  people: Type.Array(PersonReference, {
    description: 'The people who could decide now. Empty if the administrators of the organization decide.',
  }),
});

export const previewApprovalRoute = route(
  'GET',
  '/api/apps/:app_id/approval/',
  {
    tag,
    config: requesting,
    summary: 'Preview who decides a request',
    description:
      'By the approval steps of the app, and the same rules as for tickets. Members ask for themselves and for the people who report to them.',
    before: (request, { db }) => withApp(db)(request),
    params: { app_id: Uuid },
    query: {
      user: Type.Optional({ ...Uuid, description: 'The user who needs access. Default: the caller.' }),
      requester: Type.Optional({
        ...Uuid,
        description: 'Only administrators can name another requester. Default: the caller.',
      }),
    },
    reply: Component('ApprovalPreview', { steps: Type.Array(PreviewedStep) }),
  },
  async ({ call, query: { user = null, requester = null }, request }) => ({
    steps: await previewApproval(call, request.bridgeApp.id, { user, requester }),
  }),
);
