import { Type } from 'typebox';
import { Uuid } from '#kit/schemas.ts';
import { filter, filters, sql, textFilter } from '#kit/sql.ts';
import { isOnLeave } from './leave-facts.ts';
import { PERSON_SOURCES } from './person.ts';
import { isFromScim } from './queries/sources.ts';
import { IdentityType, PersonRole, PersonStatus } from './schemas.ts';

/** The expression that the index platform_user_part covers. */
export const searchable = sql`name_key(u.email || ' ' || u.username || ' ' || u.first_name || ' ' || u.last_name)`;

/** PostgreSQL makes the form for comparing, since its case mapping differs from JavaScript's in some scripts. */
export const containing = (text: string) =>
  sql`name_key(${`%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`})`;

export const peopleFilters = filters({
  q: textFilter(
    Type.String({ description: 'Part of the email, the username or a name. Case does not matter.' }),
    (q) => sql`${searchable} like ${containing(q)}`,
  ),
  email: textFilter(
    Type.String({ description: 'Part of the email. Case does not matter.' }),
    (email) =>
      sql`u.succeeded_by is null and ${searchable} like ${containing(email)} and name_key(u.email) like ${containing(email)}`,
  ),
  status: filter(PersonStatus, (status) => sql`u.status = ${status}`),
  manager: filter(Uuid, (manager) => sql`u.manager_id = ${manager}`),
  identity_type: filter(IdentityType, (type) => sql`u.identity_type = ${type}`),
  role: filter(PersonRole, (role) => sql`u.role = ${role}`),
  source: filter(
    Type.Enum([...PERSON_SOURCES], {
      description: 'scim: only people whom an identity provider manages. gatehouse: only the others.',
    }),
    (source, org) => (source === 'scim' ? isFromScim('u', org) : sql`not ${isFromScim('u', org)}`),
  ),
  on_leave: filter(Type.Boolean({ description: 'Whether the person is on leave now.' }), (isAway, org) =>
    isAway ? isOnLeave(org, 'u') : sql`not ${isOnLeave(org, 'u')}`,
  ),
  merged: filter(
    Type.Boolean({
      default: false,
      description: 'true: only people who were merged into another person, who are otherwise left out.',
    }),
    (isMerged) => (isMerged ? sql`u.merged_into is not null` : sql`u.merged_into is null`),
  ),
});

export const groupFilters = filters({
  q: textFilter(
    Type.String({ description: 'Part of the name. Case does not matter.' }),
    (q) => sql`name_key(g.display_name) like ${containing(q)}`,
  ),
});
