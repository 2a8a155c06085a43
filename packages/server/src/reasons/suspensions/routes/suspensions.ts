import { resource } from '#kit/http.ts';
import { asOf, suspensionFilters } from '../filters.ts';
import { listSuspensions, suspensionOf } from '../list.ts';
import { Suspension } from '../schemas.ts';

/** Members see the kind of a decision only. */
const decisionOf = (isLimited: boolean, external_uuid: string | null, label: string) =>
  isLimited ? { external_uuid: null, label: null } : { external_uuid, label };

const suspensions = resource({
  path: '/api/suspensions/',
  tag: 'Accounts',
  reading: { access: { scope: 'read', apps: 'listed' } },
  managing: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
  id: 'suspension_id',
  find: suspensionOf,
  schema: Suspension,
  view: ({ isLimited, ...one }) => ({
    external_uuid: one.id,
    account: one.account_id,
    user: one.user_id,
    app: one.app_id,
    source: { kind: one.kind, ...decisionOf(isLimited, one.source_id, one.label) },
    decided_by: isLimited ? null : one.decided_by,
    leaving: one.leaving,
    reason: isLimited ? null : one.reason,
    since: one.since,
    ended_at: one.ended_at,
    ended_by:
      one.ended_kind === null
        ? null
        : { kind: one.ended_kind, ...decisionOf(isLimited, one.ended_source, one.ended_label ?? '') },
  }),
});

export const suspensionRoutes = [
  suspensions.list(
    'List suspensions',
    {
      description:
        'The decisions that accounts should be suspended, newest first. An account is suspended while one is in force. Members see those of their own accounts and of their reports.',
      query: { ...suspensionFilters.query, ...asOf },
    },
    listSuspensions,
  ),
  suspensions.get('Get suspension'),
];
