import { listSuspended, type OrganizationState } from '#directory/access/organization-facts.ts';
import type { Db } from '#kit/database.ts';
import { organizationRefusals } from './sentences.ts';

/** How long a node may take to notice a change. */
export const REMEMBERED_MS = 2000;

/**
 * Returns a function that throws 403 for a suspended organization (D52). Every request calls it, so it reads the
 * suspended organizations once in two seconds, not once for each request.
 */
export function suspensionGuard(db: Db): (slug: string) => Promise<void> {
  let suspended = new Map<string, OrganizationState>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const read = async () => {
    const rows = await listSuspended(db);
    suspended = new Map(rows.map((row) => [row.slug, row]));
    readAt = performance.now();
  };

  return async (slug) => {
    if (performance.now() - readAt > REMEMBERED_MS) {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      await reading;
    }
    const organization = suspended.get(slug);
    if (organization !== undefined) throw refusalOf(organization);
  };
}

const refusalOf = ({ slug, suspended_reason, delete_after }: OrganizationState) =>
  delete_after === null
    ? organizationRefusals.organization_suspended({ slug, reason: String(suspended_reason) })
    : organizationRefusals.organization_to_be_deleted({
        slug,
        date: delete_after.toISOString().slice(0, 10),
      });
