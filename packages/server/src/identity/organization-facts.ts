/**
 * Returns the condition that an organization is not suspended, for the background work of any feature (D52). It is plain
 * SQL text. `orgId` is a column, such as `t.org_id`.
 */
export const isActiveOrganization = (orgId: string) =>
  `not exists (
    select from organization o
    where o.id = ${orgId} and (o.suspended_at is not null or o.delete_after is not null))`;
