import type { Logger } from 'pino';
import { listDueForDeletion, type OrganizationState } from '#directory/access/organization-facts.ts';
import { deleteOrganization as deleteEmpty } from '#directory/access/organization-state.ts';
import { type Db, transaction, within } from '#kit/database.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { deleteLog } from '#log/events/retention.ts';
import { deleteRows, type TableOfOrganizations, tablesOfOrganizations } from './queries/organizations.ts';

const BATCH = 5000;
/** People refer to each other as managers, so they are deleted in one statement. */
const ALL = 2_147_483_647;
/** The log deletes its own events. The last rows end with the organization's. */
const DELETED_OTHERWISE = new Set(['event_contract', 'event_configuration', 'event_head']);

export function defineOrganizationJobs(db: Db, jobs: Jobs, logger: Logger) {
  jobs.define({
    name: 'organizations.delete-due',
    attempts: 5,
    cron: '47 3 * * *',
    work: () =>
      deleteDueOrganizations(db, (error, { slug }) =>
        logger.error({ err: error, organization: slug }, 'An organization could not be deleted'),
      ),
  });
}

/**
 * Deletes the organizations whose grace period has ended (D52). One that cannot be deleted does not stop the others.
 * Throws at the end if one failed, so that the job is repeated.
 */
export async function deleteDueOrganizations(
  db: Db,
  onFailure: (error: unknown, organization: OrganizationState) => void = () => {},
): Promise<void> {
  const failed: string[] = [];
  for (const organization of await listDueForDeletion(db)) {
    try {
      await deleteOrganization(db, organization.id);
    } catch (error) {
      failed.push(organization.slug);
      onFailure(error, organization);
    }
  }
  if (failed.length > 0) throw new Error(`These organizations could not be deleted: ${failed.join(', ')}.`);
}

/**
 * Deletes everything of an organization, its log included, in batches. The organization's own row goes last, so that an
 * interrupted deletion is continued the next time.
 */
export async function deleteOrganization(db: Db, id: string): Promise<void> {
  // A request or job that was running when the organization was suspended may still add rows.
  do await deleteLog(within(db, id));
  while ((await deleteAllRows(db, id)) > 0);
  await deleteLog(within(db, id));
  await deleteEmpty(db, id);
}

/** Returns how many rows it deleted. */
async function deleteAllRows(db: Db, id: string): Promise<number> {
  let count = 0;
  for (const { name, refers_to } of inOrder(await tablesOfOrganizations(db))) {
    const limit = refers_to.includes(name) ? ALL : BATCH;
    let deleted: number;
    do {
      deleted = await transaction(db, (tx) => deleteRows(tx, name, id, limit));
      count += deleted;
    } while (deleted >= limit);
  }
  return count;
}

/** Puts each table before those that its rows refer to. */
function inOrder(tables: TableOfOrganizations[]): TableOfOrganizations[] {
  const left = new Set(tables.filter(({ name }) => !DELETED_OTHERWISE.has(name)));
  const ordered: TableOfOrganizations[] = [];
  while (left.size > 0) {
    const next = [...left].find(
      ({ name }) => ![...left].some((other) => other.name !== name && other.refers_to.includes(name)),
    );
    if (next === undefined) throw new Error('Some tables refer to each other in a circle.');
    ordered.push(next);
    left.delete(next);
  }
  return ordered;
}
