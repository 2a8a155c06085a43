import type { App } from '#inventory/apps/app.ts';
import { findApp } from '#inventory/apps/facts.ts';
import { listResourceTypes, registerResourceType } from '#inventory/apps/resource-types.ts';
import {
  groupNames,
  type Spelling,
  spellingsOfAccounts,
  spellingsOfGroups,
} from '#inventory/records/accounts/spelling-facts.ts';
import { cancelSession } from '#inventory/records/sessions/discard.ts';
import { pagePusher } from '#inventory/records/sync/push.ts';
import { startSession } from '#inventory/records/sync/start.ts';
import { type Database, type OrgDb, transaction } from '#kit/database.ts';
import { DomainError, notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import type { Attempt, Jobs } from '#kit/jobs/jobs.ts';
import { nfc } from '#kit/nfc.ts';
import { type AccountMapping, type AccountRecord, namesAreIds } from './accounts.ts';
import { DISCARDED, discardPlan } from './apply.ts';
import { ACCOUNT_FIELDS, ATTRIBUTE } from './fields.ts';
import { uploadOf } from './find.ts';
import { type Mapping, withNames } from './mapping.ts';
import { type Problem, storable } from './problem.ts';
import * as queries from './queries/uploads.ts';
import type { Count } from './read/read-task.ts';
import { readInWorker } from './read/reader.ts';
import { requireOpen } from './receive.ts';
import { cutOff, hidden, lookalikes, type Remark } from './remarks.ts';
import { uploadRefusals, uploadSentences } from './sentences.ts';
import type { Upload } from './upload.ts';

const MOST_ATTRIBUTES = 50;
export const CHECK_JOB = 'spreadsheets.check';

/** Starts to check the rows of an app's file with this mapping. A job checks them, and pushes them if all are valid. */
export async function startCheck(
  jobs: Jobs,
  call: Call,
  app: App,
  id: string,
  given: Mapping,
): Promise<Upload> {
  const mapping = withNames(given);
  const upload = await uploadOf(call, app, id);
  requireOpen(upload);
  requireSound(
    mapping,
    upload.content.columns.map(({ name }) => name),
    [...Object.keys(ACCOUNT_FIELDS), ATTRIBUTE],
    'id',
  );
  if (!mapping.columns.some(({ field }) => field === 'email' || field === 'username'))
    throw uploadRefusals.name_column_missing();
  if (mapping.columns.filter(({ field }) => field === ATTRIBUTE).length > MOST_ATTRIBUTES)
    throw uploadRefusals.too_many_attribute_columns({ most: MOST_ATTRIBUTES });
  const complete = await withTypes(call, app, mapping);
  await discardPlan(call, app, upload);
  return transaction(call, async (tx) => {
    const current = await queries.lockUpload(tx, id);
    if (current === undefined) throw notFound('Upload');
    requireOpen(current);
    await queries.setChecking(tx, id, complete, call.cause);
    await jobs.send(tx.db, CHECK_JOB, { orgId: call.orgId, uploadId: id }, { key: id });
    return uploadOf(tx, app, id);
  });
}

const REPEATABLE = ['groups', 'licenses', ATTRIBUTE];

/** Throws 400 for a mapping that does not fit the columns. */
export function requireSound(
  { columns }: Mapping,
  headers: string[],
  fields: string[],
  required: string | undefined,
) {
  for (const { column, field } of columns) {
    if (!headers.includes(column)) throw uploadRefusals.column_missing({ column });
    if (!fields.includes(field)) throw uploadRefusals.field_unknown({ field, fields });
    const same = columns.filter((one) => one.field === field);
    if (same.length > 1 && !REPEATABLE.includes(field))
      throw uploadRefusals.field_mapped_twice({
        field,
        columns: same.map((one) => one.column).join(' and '),
      });
  }
  if (required !== undefined && !columns.some(({ field }) => field === required))
    throw required === 'id'
      ? uploadRefusals.id_column_missing()
      : uploadRefusals.required_column_missing({ required });
}

const KINDS = {
  account: { slug: 'account', name: 'Accounts' },
  group: { slug: 'group', name: 'Groups' },
  license: { slug: 'license', name: 'Licenses' },
} as const;
type Kind = keyof typeof KINDS;

const MOST_TYPES = 1000;

/** Fills in the resource types that the mapping leaves out. Registers one of each kind that the app does not have. */
async function withTypes(call: Call, app: App, mapping: Mapping): Promise<AccountMapping> {
  const { results } = await listResourceTypes(call, app, {
    limit: MOST_TYPES,
    offset: 0,
  });
  const typeOf = async (kind: Kind, wanted: string | undefined): Promise<string> => {
    const found = results.find(
      ({ slug, type }) => type === kind && (wanted === undefined || slug === wanted),
    );
    if (found !== undefined) return found.slug;
    if (wanted !== undefined) throw uploadRefusals.resource_type_missing({ wanted, kind });
    const type = await registerResourceType(call, app, { ...KINDS[kind], type: kind });
    results.push(type);
    return type.slug;
  };
  const account_type = await typeOf('account', mapping.account_type);
  const columns: Mapping['columns'] = [];
  for (const column of mapping.columns) {
    const kind = column.field === 'groups' ? 'group' : column.field === 'licenses' ? 'license' : undefined;
    columns.push(kind === undefined ? column : { ...column, slug: await typeOf(kind, column.slug) });
  }
  return { ...mapping, columns, account_type };
}

/**
 * Checks the rows of an upload, and then pushes them into a session, which replaces an open session of the app. A file with
 * a problem in any row is not pushed: completing the session would remove the accounts of the rows that it lacks. A
 * repeated attempt starts over.
 */
export async function checkUpload(
  database: Database,
  org: OrgDb,
  uploadId: string,
  attempt: Attempt,
): Promise<void> {
  const upload = await transaction(org, (tx) => queries.lockUpload(tx, uploadId));
  if (upload?.status !== 'checking' || upload.app_id === null) return;
  const app = await findApp(org, upload.app_id);
  if (app === undefined) return;
  try {
    await checkAndPush(database, org, app, upload);
  } catch (error) {
    if (error instanceof DomainError && error.code !== 'unavailable') {
      await queries.setChecked(org, uploadId, { status: 'failed', error: error.sentence });
      return;
    }
    if (attempt.last)
      await queries.setChecked(org, uploadId, {
        status: 'failed',
        error: uploadSentences.rows_not_checked(),
      });
    throw error;
  }
}

async function checkAndPush(database: Database, org: OrgDb, app: App, upload: Upload): Promise<void> {
  const checked = await findProblems(org, upload);
  const { rows } = checked;
  if (checked.problems > 0) {
    await queries.setChecked(org, upload.id, {
      status: 'invalid',
      rows,
      problems: checked.problems,
    });
    return;
  }
  if (rows === 0) throw uploadRefusals.rows_missing_for_sync();
  const remarks = await remarksOn(org, app, upload, checked);
  const syncId = await startSession(org, app, upload.cause);
  await queries.setSession(org, upload.id, syncId);
  try {
    const pushed = await pushRecords(database, org, upload, { appId: app.id, sessionId: syncId });
    // Completing a session without all records would remove accounts.
    if (pushed !== checked.records)
      throw new Error(`${pushed} of ${checked.records} records of a spreadsheet were pushed.`);
    const { order } = checked;
    const planned = { status: 'planned', syncId, rows, problems: 0, remarks, order } as const;
    if (await queries.setChecked(org, upload.id, planned)) return;
    await cancelSession(org, app, syncId, DISCARDED);
  } catch (error) {
    await cancelSession(org, app, syncId, {
      reason: 'cancelled',
      message: 'Its spreadsheet could not be pushed.',
    });
    throw error;
  }
}

/** The names of an app that are compared with those of a file. */
const MOST_NAMES = 20_000;

async function remarksOn(
  org: OrgDb,
  app: App,
  { content, mapping }: Upload,
  { hiddenRows, names, missingTail }: Count,
): Promise<Remark[]> {
  return [
    ...cutOff(missingTail),
    ...hidden(content, mapping as Mapping, hiddenRows),
    ...lookalikes(names, await groupNames(org, app.id, MOST_NAMES)),
  ];
}

const taskOf = <T extends 'problems' | 'records'>(read: T, { content, mapping }: Upload) => ({
  read,
  options: optionsOf(content, mapping as Mapping),
  mapping: mapping as AccountMapping,
});

/** The way in which the columns were read, and what happens with hidden rows. */
export const optionsOf = ({ encoding, separator, sheet }: Upload['content'], { hidden_rows }: Mapping) => ({
  ...(hidden_rows === 'leave_out' ? { leavesOutHidden: true } : {}),
  ...(encoding === null ? {} : { encoding }),
  ...(separator === null ? {} : { separator }),
  ...(sheet === null ? {} : { sheet }),
});

async function findProblems(db: OrgDb, upload: Upload): Promise<Count> {
  await queries.clearProblems(db, upload.id);
  let stored = 0;
  const last = await queries.findOrder(db, upload.app_id as string);
  return readInWorker<Count>(
    db.orgId,
    { ...taskOf('problems', upload), last },
    {
      chunk: (number) => queries.findChunk(db, upload.id, number),
      take: async (problems) => {
        await queries.insertProblems(db, upload.id, stored, (problems as Problem[]).map(storable));
        stored += problems.length;
      },
    },
  );
}

/**
 * Pushes in the name of the server: the person was authorized when they started the check. Returns the number of records
 * that the session has stored.
 */
async function pushRecords(
  database: Database,
  org: OrgDb,
  upload: Upload,
  address: { appId: string; sessionId: string },
): Promise<number> {
  const pusher = pagePusher(database);
  const { account_type: slug } = upload.mapping as AccountMapping;
  const asStored = await spellingIn(org, address.appId, upload.mapping as AccountMapping);
  let pushed = 0;
  await readInWorker<Count>(org.orgId, taskOf('records', upload), {
    chunk: (number) => queries.findChunk(org, upload.id, number),
    take: async (records) => {
      const { total } = await pusher.push(
        { orgId: org.orgId, keyId: null, apps: 'all', role: 'admin', scopes: new Set(['govern']) },
        { ...address, slug },
        { records: (records as AccountRecord[]).map(asStored) },
      );
      pushed += total;
    },
  });
  return pushed;
}

/** Returns a function that gives ids that were made from names the spelling under which the app has them (D89). */
async function spellingIn(org: OrgDb, appId: string, mapping: AccountMapping) {
  const groups = spelled(await spellingsOfGroups(org, appId));
  const accounts = spelled(namesAreIds(mapping) ? await spellingsOfAccounts(org, appId) : []);
  return (record: AccountRecord): AccountRecord => {
    for (const refs of [record.memberships ?? {}, record.assignments ?? {}])
      for (const [slug, list] of Object.entries(refs))
        for (const ref of list) ref.id = groups.get(`${slug}\0${ref.id}`) ?? ref.id;
    return { ...record, id: accounts.get(`${mapping.account_type}\0${record.id}`) ?? record.id };
  };
}

/** Returns the stored ids by slug and form in NFC. Of several, the first counts. */
const spelled = (found: Spelling[]) =>
  new Map(found.toReversed().map(({ slug, id }) => [`${slug}\0${nfc(id)}`, id]));
