import {
  deleteOrganization as deleteRow,
  listDueForDeletion,
  type OrganizationState,
} from '../access/organization-state.ts';
import { deleteLog } from '../events/retention.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { deleteRows, type TableOfOrganizations, tablesOfOrganizations } from './queries.ts';

const BATCH = 5000;
/** People refer to each other as managers, so they are deleted in one statement. */
const ALL = 2_147_483_647;
/** The log deletes its own events. The last rows end with the organization's. */
const DELETED_OTHERWISE = new Set(['event', 'event_head']);

export function defineOrganizationJobs(db: Db, jobs: Jobs) {
  jobs.define({
    name: 'organizations.delete-due',
    attempts: 5,
    cron: '47 3 * * *',
    work: () => deleteDueOrganizations(db),
  });
}

/** Deletes the organizations whose grace period has ended (D52). */
export async function deleteDueOrganizations(db: Db): Promise<void> {
  for (const organization of await listDueForDeletion(db)) await deleteOrganization(db, organization);
}

/**
 * Deletes everything of an organization, its log included, in batches. The organization's own row goes last, so that an
 * interrupted deletion is continued the next time.
 */
async function deleteOrganization(db: Db, { id }: OrganizationState): Promise<void> {
  await deleteLog(db, id);
  for (const { name, refers_to } of inOrder(await tablesOfOrganizations(db))) {
    const limit = refers_to.includes(name) ? ALL : BATCH;
    let deleted: number;
    do {
      deleted = await transaction(db, (tx) => deleteRows(tx, name, id, limit));
    } while (deleted === limit);
  }
  await deleteLog(db, id);
  await transaction(db, (tx) => deleteRow(tx, id));
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
