import { Type } from 'typebox';
import { Uuid } from '#kit/schemas.ts';
import { filter, filters, sql, type ValuesOf } from '#kit/sql.ts';
import { FINDING_SEVERITIES, FindingStatus, KIND_NAMES } from './finding.ts';

/** Whether finding `f` is accepted now. */
export const isAccepted = sql<boolean>`coalesce(f.accepted_until > clock_now(), false)`;

export const findingFilters = filters({
  kind: filter(Type.Enum([...KIND_NAMES], { title: 'FindingKind' }), (kind) => sql`f.kind = ${kind}`),
  severity: filter(
    Type.Enum([...FINDING_SEVERITIES], { title: 'FindingSeverity' }),
    (severity) => sql`f.severity = ${severity}`,
  ),
  status: filter(FindingStatus, (status) => {
    if (status === 'resolved') return sql`f.resolved_at is not null`;
    // Without coalesce, so that the index of accepted findings serves it.
    if (status === 'accepted') return sql`f.resolved_at is null and f.accepted_until > clock_now()`;
    return sql`f.resolved_at is null and not ${isAccepted}`;
  }),
  owner: filter(
    {
      ...Uuid,
      description: 'The owner of the app, or the manager of the person for findings without an app.',
    },
    (owner, org) => sql`(
      f.app_id in (select p.id from app p where p.org_id = ${org.orgId} and p.owner_id = ${owner})
      or f.app_id is null and f.user_id in (
        select u.id from platform_user u where u.org_id = ${org.orgId} and u.manager_id = ${owner}))`,
  ),
  assignee: filter(Uuid, (assignee) => sql`f.assignee_id = ${assignee}`),
  subject: filter(
    { ...Uuid, description: 'The id of the person, account, app or other thing that it is about.' },
    (subject) => sql`f.subject_id = ${subject}`,
  ),
  user: filter(
    { ...Uuid, description: 'The person whom it is about, or whose account it is about.' },
    (user) => sql`f.user_id = ${user}`,
  ),
  app: filter(Uuid, (app) => sql`f.app_id = ${app}`),
});
export type FindingFilter = ValuesOf<typeof findingFilters>;
