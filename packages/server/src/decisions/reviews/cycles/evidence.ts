import { type Cell, csvOf } from '#kit/csv.ts';
import { type OrgDb, transaction } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import { EVIDENCE_DETAILS } from '../../../../../protocol/src/records.ts';
import type { Item } from './item-schemas.ts';
import { whyNotPossible } from './item-schemas.ts';
import { itemsAfter } from './queries/items.ts';

const SLICE = 500;

/** Records that somebody exports the evidence of a cycle, before the export begins and on the primary. */
export const recordExport = (call: Call, cycleId: string, format: string): Promise<void> =>
  transaction(call, (tx) =>
    recordEvents(tx, [
      {
        type: 'export.created',
        actor: call.cause.actor,
        subject: { type: 'system', uuid: cycleId },
        source: call.cause.source,
        payload: { what: 'review_evidence', format, cycle_id: cycleId },
      },
    ]),
  );

/** Yields all items of a cycle in slices, so that a large cycle is never in memory as a whole. */
async function* allItems(db: OrgDb, cycleId: string): AsyncGenerator<Item[]> {
  for (let after: string | null = null; ; ) {
    const slice: Item[] = await itemsAfter(db, cycleId, after, SLICE);
    if (slice.length > 0) yield slice;
    if (slice.length < SLICE) return;
    after = slice.at(-1)?.id ?? null;
  }
}

/** Yields JSON text: the fields of `head`, then `items`. */
export async function* evidenceAsJson(
  db: OrgDb,
  cycleId: string,
  head: object,
  view: (item: Item) => object,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"items":[`;
  let separator = '\n';
  for await (const slice of allItems(db, cycleId)) {
    yield separator + slice.map((item) => JSON.stringify(view(item))).join(',\n');
    separator = ',\n';
  }
  yield '\n]}\n';
}

const COLUMNS: Record<string, (item: Item) => Cell> = {
  item: ({ id }) => id,
  kind: ({ kind }) => kind,
  app: ({ app_name }) => app_name,
  account: ({ account }) => account.email || account.username,
  account_id: ({ account }) => account.external_uuid,
  user: ({ user }) => user?.email,
  resource_type: ({ resource }) => resource?.slug,
  resource_id: ({ resource }) => resource?.id,
  resource_name: ({ resource }) => resource?.name,
  since: ({ since }) => since,
  found: ({ found }) => found,
  granted_by: ({ grants }) => grants.map(({ kind }) => kind).join(' '),
  last_seen_at: ({ last_seen_at }) => last_seen_at,
  ...Object.fromEntries(EVIDENCE_DETAILS.map((column) => [column, (item: Item): Cell => item[column]])),
  risk: ({ risk }) => risk,
  hidden_members: ({ kind, hidden_members }) => (kind === 'account' ? null : hidden_members),
  account_owner: ({ account_owner }) => account_owner?.email,
  reviewers: ({ reviewers }) => reviewers.map(({ email }) => email).join(' '),
  decision: ({ decision }) => decision,
  decided_by: ({ decided_by }) => decided_by?.email,
  on_behalf_of: ({ on_behalf_of }) => on_behalf_of.map(({ email }) => email).join(' '),
  decided_at: ({ decided_at }) => decided_at,
  comment: ({ comment }) => comment,
  changed_decisions: ({ earlier }) => earlier.map((one) => `${one.decision} ${one.decided_at}`).join('; '),
  revocation: ({ revocation }) => revocation,
  not_possible_because: whyNotPossible,
  task: ({ task }) => task,
  through: ({ via }) => via && (via.name || via.id),
  revoked_at: ({ revoked_at }) => revoked_at && (revoked_at.name || revoked_at.id),
  kept_by: ({ kept_by }) => kept_by && (kept_by.name || kept_by.id),
  kept_for: ({ kept_for }) => kept_for && (kept_for.name || kept_for.id),
  task_action: ({ task_action }) => task_action,
  task_status: ({ task_status }) => task_status,
  task_ended_at: ({ task_ended_at }) => task_ended_at,
  task_confirmed: ({ task_confirmed }) => task_confirmed,
  seen_gone: ({ seen_gone }) => seen_gone,
  seen_gone_at: ({ seen_gone_at }) => seen_gone_at,
  seen_again_at: ({ seen_again_at }) => seen_again_at,
  restored_by: ({ restored_by }) => restored_by && `${restored_by.kind} ${restored_by.label ?? ''}`.trim(),
};

/** Yields the items as CSV text. */
export const evidenceAsCsv = (db: OrgDb, cycleId: string): AsyncGenerator<string> =>
  csvOf(COLUMNS, allItems(db, cycleId));
