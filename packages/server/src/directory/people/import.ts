import type { Static } from 'typebox';
import { type Org, transaction } from '#kit/database.ts';
import { type Call, type CallTx, findPersonKey, type RequestCause, requireAllApps } from '#kit/identity.ts';
import { mapInTurns } from '#kit/pacer.ts';
import type { NewEvent } from '#log/events/record.ts';
import { type Row, readCsv } from './csv.ts';
import type { Line } from './identify.ts';
import { draftsOf } from './import-drafts.ts';
import { lineReader } from './import-lines.ts';
import { changedLines, digestOf, nameManagers, summarize } from './import-result.ts';
import type { Draft } from './person.ts';
import * as queries from './queries/people.ts';
import { forgetSignInOf, recordPeopleEvents, runHooks, save } from './save.ts';
import type { ImportResult } from './schemas.ts';
import { endFormer, passEmailOn } from './succession.ts';

/**
 * Creates and updates the people of a CSV file (protocol 10). Imports all rows or none: if any row is invalid, the 400 names
 * every one of them. A row that ends access is applied without the cells that do not fit (D79). A dry run returns the same result
 * and writes nothing.
 */
export async function importPeople(
  call: Call,
  file: Buffer,
  options: Options,
): Promise<Static<typeof ImportResult>> {
  requireAllApps(call.principal, 'importing people');
  const lines = await readCsv(file, (columns) => lineReader(columns, options.match));
  return importLines(call, lines, options);
}

interface Options {
  dryRun: boolean;
  /** By what people are found: `email`, or the column of an attribute that says who somebody is (D63). */
  match: string;
  /**
   * Sees a digest of the changes, all of them, before they are made, while nobody else can change people. Equal digests mean
   * equal changes. An error cancels the import.
   */
  confirm?: (digest: string) => void;
}

/** Does the same with rows that were read elsewhere. `columns` are the names of a CSV file's first line. */
export async function importRows(
  call: Call,
  { columns, rows }: { columns: string[]; rows: Row[] },
  options: Options,
): Promise<Static<typeof ImportResult>> {
  requireAllApps(call.principal, 'importing people');
  const lines = await mapInTurns(rows, lineReader(columns, options.match));
  return importLines(call, lines, options);
}

async function importLines(
  call: Call,
  given: Line[],
  { dryRun, match, confirm }: Options,
): Promise<Static<typeof ImportResult>> {
  return transaction(call, async (tx) => {
    await queries.lockPeople(tx);
    // The transaction may run again after a deadlock, with the lines as they were read.
    const lines = await mapInTurns(given, (line) => ({
      ...line,
      change: { ...line.change },
      problems: [...line.problems],
      unfit: [...line.unfit],
    }));
    await queries.analyzePeople(tx.db);
    const personKey = await findPersonKey(tx);
    const { drafts, formers, uncertain } = await draftsOf(tx, lines, { by: match, personKey });
    const changed = await nameManagers(tx, drafts, await changedLines(drafts, formers));
    const result = summarize(drafts, changed, dryRun);
    confirm?.(await digestOf(changed));
    if (!dryRun) {
      for (const [former, id] of formers) await passEmailOn(tx, former, id);
      const events = await save(tx, call.cause, [...drafts.values()]);
      for (const [former, id] of formers) events.push(...(await endFormer(tx, former, id)));
      events.push(...(await forgetSignInOfReturned(tx, uncertain)));
      events.push(imported(call, call.cause, result));
      await recordPeopleEvents(tx, await runHooks(tx, events));
    }
    return result;
  });
}

/** Removes the sign-in of people who return by a name that can pass to somebody else (D63). */
async function forgetSignInOfReturned(tx: CallTx, drafts: Draft[]): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const { before, after } of drafts)
    if (before?.status === 'deactivated' && after.status === 'active')
      events.push(...(await forgetSignInOf(tx, after)));
  return events;
}

const imported = (
  org: Org,
  { actor, source }: RequestCause,
  { created, updated, unchanged }: Static<typeof ImportResult>,
): NewEvent => ({
  type: 'person.imported',
  actor,
  subject: { type: 'system', uuid: org.orgId },
  source,
  payload: { created, updated, unchanged },
});
