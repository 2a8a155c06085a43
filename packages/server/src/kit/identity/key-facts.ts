/**
 * Conditions on API keys, for the statements of any feature that checks a key. They are plain SQL text: prepared
 * statements take them as they are, Kysely templates through `sql.raw`. `key` is the name or alias of an `api_key` row.
 */

/** True unless the key was revoked or has expired. */
export const isUnended = (key: string) =>
  `(${key}.revoked_at is null and (${key}.expires_at is null or ${key}.expires_at > now()))`;

/** True if the key works: it was not revoked, it has not expired, and the person for whom it acts is active (D8). */
export const isLiveKey = (key: string) =>
  `(${isUnended(key)} and exists (
    select from platform_user person
    where person.org_id = ${key}.org_id and person.id = ${key}.user_id and person.status = 'active'))`;

/** True if the key is for all apps or lists this one. `app` and `orgId` are expressions: columns or parameters such as `$3`. */
export const keyMayAccessApp = (key: string, app: string, orgId: string) =>
  `(${key}.all_apps or exists (
    select from api_key_app listed
    where listed.org_id = ${orgId} and listed.key_id = ${key}.id and listed.app_id = ${app}))`;
