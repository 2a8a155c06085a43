import { Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { belowApp } from '#inventory/apps/routes/below-app.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { previewApproval } from '../preview.ts';
import { APPROVER_RANKS, EXCLUDED_BECAUSE, Steps } from '../ticket-schemas.ts';
import { requesting, tag } from './schemas.ts';

const PreviewedStep = Component('PreviewedApprovalStep', {
  ...Steps.items.properties,
  via: Nullable(
    Type.Enum([...APPROVER_RANKS], { description: 'Why these people decide. Null: nobody can decide now.' }),
  ),
  people: Type.Array(PersonReference, {
    description:
      'The people who could decide now, without the administrators of the organization. Empty if only these decide.',
  }),
  administrators: Type.Boolean({
    description:
      'Whether an administrator of the organization decides, or fills a seat of a step that requires all.',
  }),
  excluded: Type.Array(
    Component('ExcludedApprover', {
      user: PersonReference,
      because: Type.Enum([...EXCLUDED_BECAUSE], {
        description:
          'The request is by or for this person (concerned), they count for an earlier step (counts_already), or as a deputy they already have a seat in this step (has_another_seat).',
      }),
    }),
    {
      description: 'The people who would decide this step, but for the reason. Others decide in their place.',
    },
  ),
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
