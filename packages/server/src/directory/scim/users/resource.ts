import { createHash } from 'node:crypto';
import { CORE_ATTRIBUTES, ENTERPRISE_ATTRIBUTES, EXTRA_LISTS, type UserRow } from '../queries/scim.ts';
import { type Element, isObject, type Resource } from '../resource.ts';
import { ENTERPRISE, GATEHOUSE, USER } from '../schema.ts';

/** Returns a person as a SCIM user. */
export function userResource(row: UserRow, base: string): Resource {
  const { extra } = row;
  const names = isObject(extra.name) ? extra.name : {};
  const full = `${row.first_name} ${row.last_name}`.trim();
  const name = withoutEmpty({
    ...names,
    formatted: names.formatted ?? full,
    familyName: row.last_name,
    givenName: row.first_name,
  });
  const attributes = (list: readonly string[]) =>
    withoutEmpty(Object.fromEntries(list.map((one) => [one, textOf(row.attributes[one])])));
  const enterprise: Resource = attributes(ENTERPRISE_ATTRIBUTES);
  if (row.manager !== null)
    enterprise.manager = {
      value: row.manager,
      $ref: `${base}/Users/${row.manager}`,
      displayName: row.manager_name ?? '',
    };
  const hasEnterprise = Object.keys(enterprise).length > 0;
  const own = {
    ...(row.leave_from == null ? {} : { leaveFrom: row.leave_from }),
    ...(row.leave_until == null ? {} : { leaveUntil: row.leave_until }),
  };
  const hasOwn = Object.keys(own).length > 0;
  const others = Array.isArray(extra.emails) ? (extra.emails as Element[]) : [];
  const resource: Resource = {
    schemas: [USER, ...(hasEnterprise ? [ENTERPRISE] : []), ...(hasOwn ? [GATEHOUSE] : [])],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    userName: row.username,
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...attributes(CORE_ATTRIBUTES),
    active: row.status === 'active',
    emails: [
      { value: row.email, type: 'work', primary: !others.some(({ primary }) => primary === true) },
      ...others,
    ],
    ...Object.fromEntries(
      EXTRA_LISTS.flatMap((list) => (extra[list] === undefined ? [] : [[list, extra[list]]])),
    ),
    ...(hasEnterprise ? { [ENTERPRISE]: enterprise } : {}),
    ...(hasOwn ? { [GATEHOUSE]: own } : {}),
  };
  const groups = row.groups.map(({ value, display }) => ({
    value,
    $ref: `${base}/Groups/${value}`,
    display,
    type: 'direct',
  }));
  return {
    ...resource,
    ...(groups.length === 0 ? {} : { groups }),
    meta: {
      resourceType: 'User',
      created: row.created_at.toISOString(),
      lastModified: row.changed_at.toISOString(),
      location: `${base}/Users/${row.id}`,
      version: versionOf(row),
    },
  };
}

/** Returns the ETag of a user. It does not depend on groups, which are resources of their own. */
export function versionOf({
  groups: _,
  manager_name: __,
  changed_at: ___,
  role: ____,
  owned: _____,
  merged_into: ______,
  released_id: _______,
  released_key: ________,
  former_id: _________,
  ...row
}: UserRow) {
  return `W/"${createHash('sha256').update(JSON.stringify(row)).digest('base64url').slice(0, 22)}"`;
}

const withoutEmpty = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== ''));

/** Returns an attribute as text. Other clients may have written other types: SCIM leaves out lists and objects. */
export const textOf = (value: unknown) =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
