import { Type } from 'typebox';
import { Uuid } from '#kit/schemas.ts';
import { filter, filters, sql } from '#kit/sql.ts';
import { DECISIONS, KINDS } from '../campaigns/cycle.ts';

const containsText = (q: string) => sql`
  name_key(coalesce(i.user_name, '') || ' ' || coalesce(i.user_email, '') || ' ' || i.account_email || ' ' || i.account_username
    || ' ' || coalesce(i.resource ->> 'name', '') || ' ' || coalesce(i.resource ->> 'id', ''))
  like name_key(${`%${q.replace(/[\\%_]/g, '\\$&')}%`})`;

export const itemFilters = filters({
  decision: filter(
    Type.Enum([...DECISIONS, 'none'], { description: 'none: not decided yet.' }),
    (decision) => (decision === 'none' ? sql`i.decision is null` : sql`i.decision = ${decision}`),
  ),
  kind: filter(Type.Enum([...KINDS]), (kind) => sql`i.kind = ${kind}`),
  app: filter(Uuid, (app) => sql`i.app_id = ${app}`),
  user: filter(Uuid, (user) => sql`i.user_id = ${user}`),
  reviewer: filter(Uuid, (reviewer) => sql`i.reviewers @> array[${reviewer}::uuid]`),
  q: filter(
    Type.String({
      maxLength: 320,
      description:
        'Part of the name or email of the person or account, or of the name of the group or license.',
    }),
    (q) => (q.trim() === '' ? null : containsText(q.trim())),
  ),
});
