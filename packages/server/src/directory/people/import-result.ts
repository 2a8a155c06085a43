import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import type { OrgTx } from '#kit/database.ts';
import { mapInTurns, pacer } from '#kit/pacer.ts';
import type { Line } from './identify.ts';
import { MANAGER_EMAIL } from './import-lines.ts';
import { changesOf, type Draft, type Profile, valuesOf } from './person.ts';
import * as queries from './queries/people.ts';
import type { ImportResult } from './schemas.ts';
import { ignoredField } from './settle.ts';

/* The changes of an import, for people who look at it first and for the confirmation that it is still the same. */

const MOST_CHANGES_SHOWN = 1000;

type ChangedLine = Static<typeof ImportResult>['changes'][number];

/** Replaces the managers' ids, which nobody can read, by their emails, as the column manager_email names them. */
export async function nameManagers(
  tx: OrgTx,
  drafts: Map<Line, Draft>,
  lines: ChangedLine[],
): Promise<ChangedLine[]> {
  const isManager = ({ field }: { field: string }) => field === 'manager';
  const ids = new Set(
    lines.flatMap(({ changes }) => changes.filter(isManager).flatMap(({ from, to }) => [from, to])),
  );
  if (ids.size === 0) return lines;
  const emails = await queries.emailsOf(
    tx,
    [...ids].filter((id) => typeof id === 'string'),
  );
  for (const { after } of drafts.values()) emails.set(after.id, after.email);
  const emailOf = (id: unknown) => emails.get(String(id)) ?? null;
  return mapInTurns(lines, (line) => ({
    ...line,
    changes: line.changes.map((change) =>
      isManager(change)
        ? { field: MANAGER_EMAIL, from: emailOf(change.from), to: emailOf(change.to) }
        : change,
    ),
  }));
}

/** `formers` are those whose email passes to a new person. */
export async function changedLines(
  drafts: Map<Line, Draft>,
  formers: readonly [Profile, string][],
): Promise<ChangedLine[]> {
  const formerOf = new Map(formers.map(([former, id]) => [id, former]));
  let shown = 0;
  const all = await mapInTurns(drafts, ([{ line, unfit }, draft]): ChangedLine => {
    const former = formerOf.get(draft.after.id);
    const isNew = draft.before === undefined;
    const changes = changesOf(draft);
    const action = isNew ? 'created' : changes.length > 0 ? 'updated' : 'unchanged';
    if (action !== 'unchanged' || unfit.length > 0) shown++;
    return {
      line,
      email: draft.after.email,
      action,
      // The values of new people are many, and only the first are shown.
      changes: isNew && shown <= MOST_CHANGES_SHOWN ? valuesOf(draft.after) : changes,
      ...(former && { succeeds: { external_uuid: former.id, email: former.email } }),
      ...(unfit.length > 0 && { ignored: unfit.map(ignoredField) }),
    };
  });
  return all.filter(({ action, ignored }) => action !== 'unchanged' || ignored !== undefined);
}

export function summarize(
  { size }: Map<Line, Draft>,
  lines: ChangedLine[],
  dryRun: boolean,
): Static<typeof ImportResult> {
  const created = lines.filter(({ action }) => action === 'created').length;
  const updated = lines.filter(({ action }) => action === 'updated').length;
  return {
    dry_run: dryRun,
    created,
    updated,
    unchanged: size - created - updated,
    changes: lines.slice(0, MOST_CHANGES_SHOWN),
  };
}

export async function digestOf(lines: ChangedLine[]): Promise<string> {
  const hash = createHash('sha256');
  const pace = pacer();
  for (const line of lines) {
    hash.update(JSON.stringify(line));
    await pace();
  }
  return hash.digest('hex');
}
