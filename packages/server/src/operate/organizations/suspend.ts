import type { OrganizationState } from '#directory/access/organization-facts.ts';
import { changeState } from '#directory/access/organization-state.ts';
import { type Db, transaction } from '#kit/database.ts';
import type { NewEvent } from '#log/events/record.ts';
import { about, record } from './record.ts';
import { organizationRefusals } from './sentences.ts';

/** How long a deletion can be withdrawn (D52). */
export const GRACE_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** Suspends an organization: no request reaches it, and nothing is lost. */
export const suspendOrganization = (db: Db, slug: string, reason: string): Promise<void> =>
  change(db, slug, (organization) => {
    if (organization.suspended_at !== null)
      throw organizationRefusals.organization_already_suspended({ slug });
    const { envelope, payload } = about(organization);
    return {
      state: { ...organization, suspended_at: new Date(), suspended_reason: reason },
      events: [{ type: 'organization.suspended', ...envelope, payload: { ...payload, reason } }],
    };
  });

/** Ends a suspension, and withdraws an ordered deletion. */
export const resumeOrganization = (db: Db, slug: string): Promise<void> =>
  change(db, slug, (organization) => {
    const { suspended_at, delete_after } = organization;
    if (suspended_at === null && delete_after === null)
      throw organizationRefusals.organization_not_suspended({ slug });
    requireNotBegun(organization);
    const { envelope, payload } = about(organization);
    return {
      state: { suspended_at: null, suspended_reason: null, delete_after: null },
      events: [
        ...withdrawal(organization),
        ...(suspended_at === null ? [] : [{ type: 'organization.resumed' as const, ...envelope, payload }]),
      ],
    };
  });

/**
 * Orders the deletion of an organization. Until it takes effect, the organization is suspended. Returns when. Ordering a
 * deletion to take effect immediately changes nothing if it has begun, so that it can be repeated.
 */
export async function orderDeletion(
  db: Db,
  slug: string,
  after = new Date(Date.now() + GRACE_DAYS * DAY_MS),
): Promise<Date> {
  await change(db, slug, (organization) => {
    if (organization.delete_after !== null && organization.delete_after <= after) {
      if (after <= new Date()) return undefined;
      throw organizationRefusals.organization_deletion_ordered({
        slug,
        delete_after: organization.delete_after.toISOString(),
      });
    }
    const { envelope, payload } = about(organization);
    return {
      state: { ...organization, delete_after: after },
      events: [
        {
          type: 'organization.deletion_ordered',
          ...envelope,
          payload: { ...payload, deleted_after: after.toISOString() },
        },
      ],
    };
  });
  return after;
}

/** Withdraws an ordered deletion. An organization that was suspended before stays suspended. */
export const withdrawDeletion = (db: Db, slug: string): Promise<void> =>
  change(db, slug, (organization) => {
    if (organization.delete_after === null)
      throw organizationRefusals.organization_deletion_not_ordered({ slug });
    requireNotBegun(organization);
    return { state: { ...organization, delete_after: null }, events: withdrawal(organization) };
  });

/** A deletion that has begun cannot be withdrawn, since some of the data is gone. */
function requireNotBegun({ slug, delete_after }: OrganizationState) {
  if (delete_after !== null && delete_after <= new Date())
    throw organizationRefusals.organization_deletion_begun({ slug });
}

function withdrawal(organization: OrganizationState): NewEvent[] {
  if (organization.delete_after === null) return [];
  const { envelope, payload } = about(organization);
  return [{ type: 'organization.deletion_withdrawn', ...envelope, payload }];
}

interface Change {
  state: Pick<OrganizationState, 'suspended_at' | 'suspended_reason' | 'delete_after'>;
  events: NewEvent[];
}

function change(
  db: Db,
  slug: string,
  work: (organization: OrganizationState) => Change | undefined,
): Promise<void> {
  return transaction(db, async (tx) => {
    let events: NewEvent[] = [];
    const organization = await changeState(tx, slug, (before) => {
      const change = work(before);
      events = change?.events ?? [];
      return change?.state;
    });
    for (const event of events) await record(tx, organization, event);
  });
}
