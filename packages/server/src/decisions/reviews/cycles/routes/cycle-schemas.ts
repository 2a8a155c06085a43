import { Type } from 'typebox';
import { NOBODY, UndecidedView, undecidedView } from '#directory/people/undecided.ts';
import type { Principal } from '#kit/identity.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { CycleStatus, Decision, RevokeAccountBy } from '../../campaigns/schemas.ts';
import type { Cycle } from '../cycles.ts';

export const CycleView = Component('ReviewCycle', {
  external_uuid: Uuid,
  campaign: Type.Object({ external_uuid: Uuid, name: Type.String() }),
  status: CycleStatus,
  opens_at: Timestamp,
  opened_at: Nullable(Timestamp),
  due_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  opening: Type.Object(
    { accounts: Type.Integer(), of: Type.Integer() },
    {
      description:
        'How many accounts the opening has processed. A large cycle stays scheduled until all are processed.',
    },
  ),
  progress: Type.Object({
    items: Type.Integer(),
    decided: Type.Integer(),
    undecided: Type.Integer(),
    kept: Type.Integer(),
    revoked: Type.Integer(),
    revocations: Nullable(
      Type.Object(
        {
          waiting: Type.Integer({ description: 'Their tasks are ahead.' }),
          carried_out: Type.Integer({ description: 'A task took the access away, or it was gone already.' }),
          failed: Type.Integer({ description: 'The last attempt failed.' }),
          not_possible: Type.Integer({
            description:
              'The group no longer exists, and the access may go on under another name; or the task was canceled, and the access is still there.',
          }),
        },
        {
          description:
            'The current states of the revocations. The four numbers add up to `revoked`. Only when one cycle is read; otherwise null.',
        },
      ),
    ),
  }),
  undecided: Nullable({
    ...UndecidedView,
    description:
      'The people whose accounts are left out because the condition of the scope does not decide them. Null for members.',
  }),
  hidden_members: Nullable(
    Type.Integer({
      description:
        'Members that the groups and licenses in the scope have in the app, but that the newest sync could not show. They have no items. Only when one cycle is read; otherwise null. Null for members.',
    }),
  ),
  on_no_response: Decision,
  revoke_account_by: RevokeAccountBy,
  cooling_off_hours: Type.Integer(),
});

export const cycleView = (
  { id, settings, items, kept, revoked, undecided, ...cycle }: Cycle,
  { role }: Pick<Principal, 'role'>,
) => ({
  external_uuid: id,
  campaign: cycle.campaign,
  status: cycle.status,
  opens_at: cycle.opens_at,
  opened_at: cycle.opened_at,
  due_at: cycle.due_at,
  completed_at: cycle.completed_at,
  opening: { accounts: cycle.accounts_done, of: cycle.accounts_total },
  progress: {
    items,
    decided: kept + revoked,
    undecided: items - kept - revoked,
    kept,
    revoked,
    revocations: cycle.revocations,
  },
  undecided: role === 'member' ? null : undecidedView(undecided ?? NOBODY),
  hidden_members: role === 'member' ? null : cycle.hidden_members,
  on_no_response: settings.on_no_response,
  revoke_account_by: settings.revoke_account_by,
  cooling_off_hours: settings.cooling_off_hours,
});
