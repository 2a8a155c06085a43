import type { OrgDb, OrgTx } from '#kit/database.ts';
import { exists, one, run } from '#kit/sql.ts';
import { type Sample, settingsView } from '../organization-facts.ts';
import type { OrganizationView } from '../schemas.ts';

/** The settings that a request can change. */
export type OrganizationSettings = Pick<
  OrganizationView,
  | 'name'
  | 'second_factor_roles'
  | 'passkey_roles'
  | 'scim_deletes'
  | 'person_key'
  | 'time_zone'
  | 'people_guard'
  | 'group_guard'
>;

/** Returns the organization and locks it until `tx` ends. */
export async function lockSettings(tx: OrgTx): Promise<OrganizationView> {
  return (await one<OrganizationView>(tx)`
    select ${settingsView} from organization where id = ${tx.orgId} for no key update`) as OrganizationView;
}

export async function updateOrganization(tx: OrgTx, settings: OrganizationSettings): Promise<void> {
  const { name, second_factor_roles, passkey_roles, scim_deletes, person_key, time_zone } = settings;
  const { people_guard, group_guard } = settings;
  await run(tx)`
    update organization set name = ${name}, second_factor_roles = ${second_factor_roles},
      passkey_roles = ${passkey_roles},
      scim_deletes = ${scim_deletes}, person_key = ${person_key}, time_zone = ${time_zone},
      people_guard = ${jsonOf(people_guard)}::jsonb, group_guard = ${jsonOf(group_guard)}::jsonb
    where id = ${tx.orgId}`;
}

/** Replaces the sample company as it was read. Returns false if somebody else has changed it since. */
export const replaceSample = (tx: OrgTx, before: Sample | null, after: Sample | null): Promise<boolean> =>
  exists(tx)`
    update organization set sample = ${jsonOf(after)}::jsonb
    where id = ${tx.orgId} and sample is not distinct from ${jsonOf(before)}::jsonb returning id`;

const jsonOf = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Whether the database knows a time zone. Its list can be older than that of Node.js. */
export const knowsTimeZone = (db: OrgDb, name: string) => exists(db)`
    select from pg_timezone_names z where lower(z.name) = lower(${name}) limit 1`;

/** Whether the person of a live session used a passkey in it. */
export const usedPasskey = (db: OrgDb, sessionId: string) => exists(db)`
    select from sign_in_session
    where org_id = ${db.orgId} and id = ${sessionId} and signed_in_at is not null and expires_at > now()
      and (method = 'passkey' or passkey)`;
