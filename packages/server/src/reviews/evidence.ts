import type { Db } from '../platform/database/open.ts';
import type { Item } from './items.ts';
import { itemsAfter } from './queries/items.ts';

const PAGE = 500;

/** All items of a cycle, page by page: a large cycle is never in memory as a whole. */
async function* allItems(db: Db, orgId: string, cycleId: string): AsyncGenerator<Item[]> {
  for (let after: string | null = null; ; ) {
    const page: Item[] = await itemsAfter(db, orgId, cycleId, after, PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? null;
  }
}

/** `head` with the items beside its fields, as JSON text. */
export async function* evidenceAsJson(
  db: Db,
  orgId: string,
  cycleId: string,
  head: object,
  view: (item: Item) => object,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"items":[`;
  let separator = '\n';
  for await (const page of allItems(db, orgId, cycleId)) {
    yield separator + page.map((item) => JSON.stringify(view(item))).join(',\n');
    separator = ',\n';
  }
  yield '\n]}\n';
}

type Cell = string | boolean | Date | null | undefined;

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
  granted_by: ({ granted_by }) => granted_by?.task_type,
  last_seen_at: ({ last_seen_at }) => last_seen_at,
  reviewers: ({ reviewers }) => reviewers.map(({ email }) => email).join(' '),
  decision: ({ decision }) => decision,
  decided_by: ({ decided_by }) => decided_by?.email,
  decided_at: ({ decided_at }) => decided_at,
  comment: ({ comment }) => comment,
  changed_decisions: ({ earlier }) => earlier.map((one) => `${one.decision} ${one.decided_at}`).join('; '),
  task: ({ task }) => task,
  task_action: ({ task_action }) => task_action,
  task_status: ({ task_status }) => task_status,
  task_ended_at: ({ task_ended_at }) => task_ended_at,
  seen_gone: ({ seen_gone }) => seen_gone,
};

export async function* evidenceAsCsv(db: Db, orgId: string, cycleId: string): AsyncGenerator<string> {
  yield line(Object.keys(COLUMNS));
  for await (const page of allItems(db, orgId, cycleId)) {
    yield page.map((item) => line(Object.values(COLUMNS).map((column) => text(column(item))))).join('');
  }
}

const text = (cell: Cell | undefined): string =>
  cell instanceof Date ? cell.toISOString() : cell === null || cell === undefined ? '' : String(cell);

const line = (cells: string[]) => `${cells.map(csvCell).join(',')}\r\n`;

/** RFC 4180. What a spreadsheet would take for a formula is text, and stays text. */
function csvCell(value: string): string {
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
