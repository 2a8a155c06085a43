import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listOrganizations } from '#directory/access/organization-facts.ts';
import type { Db, Tx } from '#kit/database.ts';
import { StartError } from '#kit/errors.ts';
import { readOneState, rowsOf, tablesOfOrganizations } from './queries/organizations.ts';

const BATCH = 1000;

/** Tables that hold nothing but secrets, the state of sign-ins, or the content of files, which may be anything. */
const OMITTED = new Set([
  'data_key',
  'event_cursor_key',
  'fulfillment_attachment_chunk',
  'sign_in_attempt',
  'sign_in_session',
  'sign_in_verification',
  'upload_chunk',
]);

/** Columns with secrets, encrypted or hashed, which are of no use elsewhere. */
const SECRET_COLUMNS: Record<string, string[]> = {
  organization: ['sign_in_secret', 'sealed_sign_in_secret'],
  api_key: ['key_hash'],
  sign_in_account: ['password', 'access_token', 'refresh_token', 'id_token'],
  sign_in_provider: ['oidc_config'],
  sign_in_two_factor: ['secret', 'backup_codes'],
  webhook: ['sealed_secret', 'sealed_previous_secret'],
  notification_channel: ['sealed_url'],
  connector_secret: ['sealed'],
};

/**
 * Writes everything of an organization but its secrets and attached files into a new folder: one file for each table, with one JSON object
 * in a line. Reads one state of the database and holds one batch of rows in memory. Returns the number of rows.
 */
export async function exportOrganization(db: Db, slug: string, folder: string): Promise<number> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new StartError(`${folder} already exists. Name a folder that does not exist yet.`)
      : error;
  });
  return db.transaction().execute(async (tx) => {
    await readOneState(tx);
    const organization = (await listOrganizations(tx)).find((one) => one.slug === slug);
    if (organization === undefined)
      throw new StartError(`The organization ${slug} does not exist. Check the slug.`);
    const names = (await tablesOfOrganizations(tx)).map(({ name }) => name);
    const rows: Record<string, number> = {};
    for (const name of ['organization', ...names]) {
      if (!OMITTED.has(name)) rows[name] = await exportTable(tx, name, organization.id, folder);
    }
    const manifest = { organization: slug, exported_at: new Date().toISOString(), rows };
    await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    return Object.values(rows).reduce((sum, count) => sum + count, 0);
  });
}

async function exportTable(tx: Tx, table: string, orgId: string, folder: string): Promise<number> {
  const file = await open(join(folder, `${table}.jsonl`), 'wx', 0o600);
  let count = 0;
  try {
    for await (const batch of rowsOf(tx, table, orgId, SECRET_COLUMNS[table] ?? [], BATCH)) {
      await file.write(`${batch.join('\n')}\n`);
      count += batch.length;
    }
  } finally {
    await file.close();
  }
  return count;
}
