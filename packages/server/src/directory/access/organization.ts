import { isDeepStrictEqual } from 'node:util';
import { transaction } from '#kit/database.ts';
import { type Call, type CallTx, type Principal, ROLES, requireStepUp, takeTurnsIn } from '#kit/identity.ts';
import { isTimeZone } from '#kit/time-zones.ts';
import { type IfMatch, requireVersion, versionOf } from '#kit/versions.ts';
import { recordEvents } from '#log/events/record.ts';
import * as queries from './queries/organizations.ts';
import type { OrganizationView } from './schemas.ts';
import { accessRefusals } from './sentences.ts';

const SETTINGS = [
  'name',
  'second_factor_roles',
  'passkey_roles',
  'scim_deletes',
  'person_key',
  'time_zone',
  'people_guard',
  'group_guard',
] as const;

export const organizationVersion = (settings: queries.OrganizationSettings): string =>
  versionOf(Object.fromEntries(SETTINGS.map((name) => [name, settings[name]])));

/** Changes the organization's settings, if `ifMatch` names their version. Throws 403 for settings that the caller cannot change. */
export async function changeOrganization(
  call: Call,
  wanted: Partial<queries.OrganizationSettings>,
  ifMatch: IfMatch = null,
): Promise<OrganizationView> {
  for (const field of ['second_factor_roles', 'passkey_roles'] as const)
    if (wanted[field] !== undefined) requireMayChangeFactors(call.principal, field);
  if (wanted.time_zone !== undefined) await requireTimeZone(call, wanted.time_zone);
  return transaction(call, async (tx) => {
    // Those who take turns may depend on the settings, such as the attribute that says who somebody is.
    await takeTurnsIn(tx);
    const before = await queries.lockSettings(tx);
    requireVersion(ifMatch, organizationVersion(before));
    if (wanted.passkey_roles?.some((role) => !before.passkey_roles.includes(role)))
      await requirePasskeyUse(tx);
    const after = {
      ...before,
      name: wanted.name ?? before.name,
      second_factor_roles: inOrder(wanted.second_factor_roles ?? before.second_factor_roles),
      passkey_roles: inOrder(wanted.passkey_roles ?? before.passkey_roles),
      scim_deletes: wanted.scim_deletes ?? before.scim_deletes,
      person_key: wanted.person_key === undefined ? before.person_key : wanted.person_key,
      time_zone: wanted.time_zone ?? before.time_zone,
      people_guard: wanted.people_guard === undefined ? before.people_guard : wanted.people_guard,
      group_guard: wanted.group_guard === undefined ? before.group_guard : wanted.group_guard,
    };
    const changes = SETTINGS.map((field) => ({ field, from: before[field], to: after[field] })).filter(
      ({ from, to }) => !isDeepStrictEqual(from, to),
    );
    if (changes.length === 0) return before;
    await queries.updateOrganization(tx, after);
    await recordEvents(tx, [
      {
        type: 'organization.updated',
        ...call.cause,
        subject: { type: 'system', uuid: call.orgId },
        payload: { organization_id: call.orgId, slug: after.slug, name: after.name, changes },
      },
    ]);
    return after;
  });
}

async function requireTimeZone(call: Call, name: string) {
  if (!isTimeZone(name) || !(await queries.knowsTimeZone(call, name)))
    throw accessRefusals.time_zone_unknown({ name });
}

/** Only an owner who has recently signed in decides who needs a second factor: a stolen key must not switch it off. */
function requireMayChangeFactors(principal: Principal, field: string) {
  if (principal.role !== 'owner') throw accessRefusals.owner_changes_field({ field });
  if (principal.sessionId === null) throw accessRefusals.keys_cannot_change_field({ field });
  requireStepUp(principal);
}

/** Browsers have passkeys at some addresses only. An owner who uses one proves that they work at this one. */
async function requirePasskeyUse(tx: CallTx) {
  if (!(await queries.usedPasskey(tx, tx.principal.sessionId as string)))
    throw accessRefusals.passkey_use_required();
}

const inOrder = (roles: readonly string[]) => ROLES.filter((role) => roles.includes(role));
