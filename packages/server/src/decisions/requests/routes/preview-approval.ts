import { Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { belowApp } from '#inventory/apps/routes/below-app.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { previewApproval } from '../preview.ts';
import { APPROVER_RANKS, Steps } from '../ticket-schemas.ts';
import { requesting, tag } from './schemas.ts';

const PreviewedStep = Component('PreviewedApprovalStep', {
  ...Steps.items.properties,
  via: Nullable(
    Type.Enum([...APPROVER_RANKS], { description: 'Why these people decide. Null: nobody can decide now.' }),
  ),
  people: Type.Array(PersonReference, {
    description: 'The people who could decide now. Empty if the administrators of the organization decide.',
  }),
});

const app = belowApp({ tag, reading: requesting, managing: requesting });

export const previewApprovalRoute = app.get(
  'approval/',
  'Preview who decides a request',
  {
    description:
      'By the approval steps of the app, and the same rules as for tickets. Members ask for themselves and for the people who report to them.',
    query: {
      user: Type.Optional({ ...Uuid, description: 'The user who needs access. Default: the caller.' }),
      requester: Type.Optional({
        ...Uuid,
        description: 'Only administrators can name another requester. Default: the caller.',
      }),
    },
    reply: Component('ApprovalPreview', { steps: Type.Array(PreviewedStep) }),
  },
  async ({ call, found, query: { user = null, requester = null } }) => ({
    steps: await previewApproval(call, found.id, { user, requester }),
  }),
);
