import { withNames } from '#directory/people/facts.ts';
import type { UndecidedPeople } from '#directory/people/undecided.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, one, type RawBuilder, sql, value } from '#kit/sql.ts';
import type { CycleStatus, Settings } from '../../campaigns/cycle.ts';
import { hasItemFor, type ReviewingPerson } from '../../reviewers/queries/reviewing.ts';

export interface Cycle {
  id: string;
  campaign: { external_uuid: string; name: string };
  status: CycleStatus;
  opens_at: Date;
  opened_at: Date | null;
  due_at: Date | null;
  completed_at: Date | null;
  accounts_done: number;
  accounts_total: number;
  items: number;
  kept: number;
  revoked: number;
  /** The people whom the condition of the scope does not decide. Null before the opening. */
  undecided: UndecidedPeople | null;
  /** The copy from when its opening began. The campaign's own settings while it waits. */
  settings: Settings;
}

const cycleView = (org: Org) => sql`
  y.id, y.status, y.opens_at, y.opened_at, y.due_at, y.completed_at, y.accounts_done, y.accounts_total, y.items, y.kept,
  y.revoked, ${withNames(org, sql`y.undecided`)} as undecided, coalesce(y.settings, c.settings) as settings,
  jsonb_build_object('external_uuid', c.id, 'name', coalesce(y.settings, c.settings) ->> 'name') as campaign`;
const cycleFrom = sql`review_cycle y join review_campaign c on c.org_id = y.org_id and c.id = y.campaign_id`;

export const findCycle = (db: OrgDb, cycleId: string) => one<Cycle>(db)`
    select ${cycleView(db)} from ${cycleFrom} where y.org_id = ${db.orgId} and y.id = ${cycleId}`;

/** Returns those of the cycles that have an item for the person. */
export const withItemsFor = (
  db: OrgDb,
  cycleIds: readonly string[],
  person: ReviewingPerson,
): Promise<Set<string>> => amongCycles(db, cycleIds, hasItemFor(db, person));

/** Returns those of the cycles that are open and have an undecided item for the person. */
export const withUndecidedItemsFor = (
  db: OrgDb,
  cycleIds: readonly string[],
  person: ReviewingPerson,
): Promise<Set<string>> =>
  amongCycles(
    db,
    cycleIds,
    sql`y.status = 'in_progress' and ${hasItemFor(db, person, sql`i.decision is null`)}`,
  );

/** Returns the open cycles in which the person has undecided items, the first to be due first. */
export const openFor = (db: OrgDb, person: ReviewingPerson) => many<Cycle>(db)`
    select ${cycleView(db)} from ${cycleFrom}
    where y.org_id = ${db.orgId} and y.status = 'in_progress' and ${hasItemFor(db, person, sql`i.decision is null`)}
    order by y.due_at nulls last, y.id`;

async function amongCycles(
  db: OrgDb,
  cycleIds: readonly string[],
  matches: RawBuilder<unknown>,
): Promise<Set<string>> {
  const rows = await many<{ id: string }>(db)`
    select y.id from review_cycle y
    where y.org_id = ${db.orgId} and y.id = any(${cycleIds}::uuid[]) and ${matches}`;
  return new Set(rows.map(({ id }) => id));
}

/** Null: any. */
export interface CycleFilter {
  campaign: string | null;
  status?: CycleStatus | undefined;
  /** Only cycles with items for this person. */
  reviewer: ReviewingPerson | null;
}

/** Newest first. */
export async function listCycles(
  db: OrgDb,
  { campaign, status, reviewer }: CycleFilter,
  page: Page,
): Promise<Slice<Cycle>> {
  const parts = [sql`y.org_id = ${db.orgId}`];
  if (campaign !== null) parts.push(sql`y.campaign_id = ${campaign}`);
  if (status !== undefined) parts.push(sql`y.status = ${status}`);
  if (reviewer !== null) parts.push(hasItemFor(db, reviewer));
  const where = sql.join(parts, sql` and `);
  const counted = await value<number>(db)`select count(*) as n from review_cycle y where ${where}`;
  const rows = await many<Cycle>(db)`
    select ${cycleView(db)} from ${cycleFrom} where ${where}
    order by y.opens_at desc, y.id desc limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}
