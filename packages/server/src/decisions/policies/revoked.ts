import { Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { MOST_SHOWN } from '#directory/people/undecided.ts';
import { AppReference, appReference } from '#inventory/apps/reference.ts';
import type { OrgDb } from '#kit/database.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { revokedFrom } from '#reasons/grants/facts.ts';
import type { RevokedEntry } from '#reasons/grants/grant.ts';
import { AccountEmail } from '#work/provisioning/task-schemas.ts';
import type { Entitlement } from './queries/targets.ts';
import type { Target } from './targets.ts';

/** Access that a policy would give, if nobody had taken it away (D73). */
export interface MissingAccess {
  target: Pick<Target, 'user' | 'account' | 'app'>;
  /** Null: the account itself. */
  entitlement: Entitlement | null;
  revoked: RevokedEntry;
}

/** The number of missing accesses, and the first of them. */
export interface SomeMissing<Entry = MissingAccess> {
  count: number;
  entries: readonly Entry[];
}

export const NOTHING_MISSING = { count: 0, entries: [] };

export const addMissing = <Entry>(
  { count, entries }: SomeMissing<Entry>,
  more: readonly Entry[],
): SomeMissing<Entry> => ({
  count: count + more.length,
  entries: [...entries, ...more.slice(0, MOST_SHOWN - entries.length)],
});

const keyOf = (subject: string | null, appId: string, entitlementId: string | null) =>
  `${subject} ${appId} ${entitlementId ?? ''}`;

/** The access that people took away from a policy, by person and by account. */
export type Revoked = ReadonlyMap<string, RevokedEntry>;

export async function readRevoked(db: OrgDb, policyId: string): Promise<Revoked> {
  return new Map(
    (await revokedFrom(db, policyId)).flatMap((entry) =>
      [entry.user_id, entry.account_id].flatMap((subject) =>
        subject === null ? [] : [[keyOf(subject, entry.app_id, entry.entitlement_id), entry] as const],
      ),
    ),
  );
}

/** Returns the decision that took an access away from the policy. One about the former person of the account does not count. */
export function revocationOf(
  { revoked }: { revoked: Revoked },
  { user, account, app }: Target,
  entitlementId: string | null,
): RevokedEntry | undefined {
  const ofPerson = revoked.get(keyOf(user?.id ?? null, app.id, entitlementId));
  const found = ofPerson ?? revoked.get(keyOf(account?.id ?? null, app.id, entitlementId));
  return found?.user_id == null || user === null || found.user_id === user.id ? found : undefined;
}

/** An access that a policy would give, if nobody had taken it away, as the API shows it. */
const MissingEntry = Component('PolicyMissingAccess', {
  app: AppReference,
  user: Nullable(PersonEmail),
  account: Nullable(AccountEmail),
  slug: Nullable(Type.String()),
  resource: Nullable(
    Type.Object({ id: Type.String(), name: Type.String() }, { description: 'Null: the account itself.' }),
  ),
  reason: Type.Literal('revoked'),
  decision: Type.Object(
    {
      kind: Type.Enum(['request', 'review', 'manual']),
      external_uuid: Nullable(Uuid),
      label: Type.String(),
      at: Type.String({ format: 'date-time' }),
    },
    { description: 'The decision of a person that took the access away.' },
  ),
});
export const Missing = Component(
  'PolicyMissing',
  { count: Type.Integer(), entries: Type.Array(MissingEntry, { description: `The first ${MOST_SHOWN}.` }) },
  {
    description:
      'Access that the policy does not give again, because a person took it away. It does when somebody grants the access, when the condition becomes false and then true, or when the person leaves and returns.',
  },
);
export type MissingView = ReturnType<typeof missingView>;

export const missingView = ({ count, entries }: SomeMissing) => ({
  count,
  entries: entries.map(({ target: { user, account, app }, entitlement, revoked }) => ({
    app: appReference(app.id, app.name),
    user: reference(user),
    account: reference(account),
    slug: entitlement?.slug ?? null,
    resource: entitlement && { id: entitlement.id, name: entitlement.name },
    reason: 'revoked' as const,
    decision: {
      kind: revoked.revoked_kind,
      external_uuid: revoked.revoked_source,
      label: revoked.revoked_label,
      at: revoked.revoked_at.toISOString(),
    },
  })),
});

const reference = (of: { id: string; email: string } | null) =>
  of === null ? null : { external_uuid: of.id, email: of.email };
