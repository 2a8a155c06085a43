import { asRead } from '#directory/people/as-read.ts';
import {
  countsOf,
  MOST_SHOWN,
  messageOf,
  type UndecidedCounts,
  UndecidedSubjects,
} from '#directory/people/undecided.ts';
import { type Condition, compileCondition } from '#kit/cel.ts';
import type { Undecided } from '#kit/cel-undecided.ts';
import { type Db, databaseTime, type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { DomainError, notFound } from '#kit/errors.ts';
import { BY_THE_CLOCK, type Call, type Cause } from '#kit/identity.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { pacer } from '#kit/pacer.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { campaignStarted } from '../campaigns/events.ts';
import type { Campaign } from '../campaigns/facts.ts';
import * as campaigns from '../campaigns/queries/campaigns.ts';
import { dueAt, nextOpening } from '../campaigns/schedule.ts';
import { accessibleCycle, type Cycle } from '../cycles/cycles.ts';
import { ableReviewers } from '../reviewers/queries/reassign.ts';
import { reassignItems } from '../reviewers/reassign.ts';
import { reviewRefusals } from '../sentences.ts';
import { insertItems } from './queries/new-items.ts';
import * as queries from './queries/open.ts';

export const OPEN_JOB = 'reviews.open';

/** Accounts whose items one transaction creates. A smaller cycle is open when the reply to its start is sent. */
const CHUNK = 2000;

interface Tools {
  db: Db;
  jobs: Jobs;
}

/** Opens a cycle now. 409 if the campaign has an open cycle, 422 if there is nothing to review. */
export async function startCycle({ jobs }: Tools, call: Call, campaignId: string): Promise<Cycle> {
  const cycleId = await transaction(call, async (tx) => {
    const campaign = await campaigns.lockCampaign(tx, campaignId);
    if (campaign === undefined) throw notFound('Campaign');
    if (await queries.hasOpenCycle(tx, campaignId)) throw reviewRefusals.cycle_open_already();
    return beginOpening(tx, jobs, campaign, call.cause);
  });
  return accessibleCycle(call, cycleId);
}

/**
 * Opens a waiting cycle whose time has come. If there is nothing to review, notes that on the campaign and schedules
 * the next cycle. Any number of nodes may call this for the same cycle: the campaign's lock lets one of them open it.
 */
export async function openDueCycle(
  { jobs }: Tools,
  org: OrgDb,
  campaignId: string,
  cycleId: string,
): Promise<void> {
  await transaction(org, async (tx) => {
    const campaign = await lockDueCampaign(tx, campaignId, cycleId);
    if (campaign !== undefined) await beginOpening(tx, jobs, campaign, BY_THE_CLOCK);
  }).catch(async (error: unknown) => {
    if (!(error instanceof NothingToReview)) throw error;
    await transaction(org, async (tx) => {
      const campaign = await lockDueCampaign(tx, campaignId, cycleId);
      if (campaign === undefined) return;
      await campaigns.markEmpty(tx, campaignId);
      await scheduleNextCycle(tx, campaign);
    });
  });
}

async function lockDueCampaign(tx: OrgTx, campaignId: string, cycleId: string) {
  const campaign = await campaigns.lockCampaign(tx, campaignId);
  if (campaign === undefined || (await queries.hasOpenCycle(tx, campaignId))) return undefined;
  return (await queries.isDue(tx, cycleId)) ? campaign : undefined;
}

class NothingToReview extends DomainError {
  constructor(undecided: UndecidedCounts | null) {
    super(
      'unprocessable',
      'There is nothing to review: no account matches the scope. No cycle was opened.' +
        (undecided === null || undecided.count === 0
          ? ''
          : ` The condition does not decide ${undecided.count === 1 ? '1 person' : `${undecided.count} people`}: ${undecided.reasons.map(messageOf).join(' ')}`),
    );
  }
}

/** Creates the first items, so that the caller learns whether there are any. A job creates the rest. */
async function beginOpening(tx: OrgTx, jobs: Jobs, campaign: Campaign, cause: Cause): Promise<string> {
  const cycleId = await queries.beginCycle(tx, campaign.id, campaign.settings);
  const accounts = await queries.countAccounts(tx, {
    id: cycleId,
    settings: campaign.settings,
  });
  const condition = conditionOf(campaign);
  let chunk = await openChunk(tx, cycleId, condition);
  while (chunk.items === 0 && !chunk.finished) chunk = await openChunk(tx, cycleId, condition);
  if (chunk.items === 0) throw new NothingToReview(await queries.undecidedOf(tx, cycleId));
  if (!chunk.finished) await jobs.send(tx.db, OPEN_JOB, { orgId: tx.orgId, cycleId }, { key: cycleId });
  await scheduleNextCycle(tx, campaign);
  const started = campaignStarted(campaign.id, campaign.settings, { id: cycleId, accounts }, cause);
  await recordEvents(tx, [started, ...chunk.events]);
  return cycleId;
}

const scheduleNextCycle = async (tx: OrgTx, { id, settings }: Campaign) => {
  const next = settings.frequency === 'once' ? null : nextOpening(settings, await databaseTime(tx));
  await campaigns.scheduleCycle(tx, id, next);
};

export const conditionOf = ({ settings: { scope } }: Pick<Campaign, 'settings'>): Condition | null =>
  scope.users === null ? null : compileCondition(scope.users, ['user']);

/** Finishes an opening, chunk by chunk, from where it stopped. */
export async function continueOpening(db: OrgDb, cycleId: string): Promise<void> {
  const opening = await transaction(db, (tx) => queries.lockOpening(tx, cycleId));
  if (opening === undefined) return;
  const condition = conditionOf(opening);
  for (let finished = false; !finished; ) {
    finished = await transaction(db, async (tx) => {
      const chunk = await openChunk(tx, cycleId, condition);
      await recordEvents(tx, chunk.events);
      return chunk.finished;
    });
  }
  // As the publication of a large first sync does: the planner may know nothing of the items yet.
  await queries.analyzeItems(db);
}

interface Chunk {
  items: number;
  finished: boolean;
  events: NewEvent[];
}

async function openChunk(tx: OrgTx, cycleId: string, condition: Condition | null): Promise<Chunk> {
  const opening = await queries.lockOpening(tx, cycleId);
  if (opening === undefined) return { items: 0, finished: true, events: [] };
  const accounts = await queries.nextAccounts(tx, opening, CHUNK);
  const { matching: ids, undecided } = await inScope(accounts, condition);
  const items = ids.length === 0 ? 0 : await createItems(tx, opening, ids);
  const finished = accounts.length < CHUNK;
  const last = accounts.at(-1)?.id ?? null;
  const counted = await queries.peopleBefore(
    tx,
    opening,
    undecided.map(({ user }) => user.id),
  );
  const found = new UndecidedSubjects();
  for (const { user, decision } of undecided) if (!counted.has(user.id)) found.add(user.id, user, decision);
  await queries.advanceOpening(tx, cycleId, {
    accounts: accounts.length,
    last,
    items,
    undecided: sumOf(opening.undecided, countsOf(found.found())),
  });
  if (!finished) return { items, finished, events: [] };
  const { now, settings } = opening;
  await queries.finishOpening(tx, cycleId, { openedAt: now, dueAt: dueAt(now, settings.due_days) });
  // Reviewers may have left while the cycle was opening.
  return { items, finished, events: await reassignItems(tx, { cycleId }) };
}

/** Returns the accounts that a cycle reviews, and the people whom its condition does not decide. Nobody has an orphaned account. */
export async function inScope(accounts: readonly queries.ScopedAccount[], condition: Condition | null) {
  const matching: string[] = [];
  const undecided: { user: queries.ScopedPerson; decision: Undecided }[] = [];
  const pace = pacer();
  for (const { id, user } of accounts) {
    const decision = condition === null || (user !== null && condition.decide({ user: asRead(user) }));
    if (decision === true) matching.push(id);
    else if (decision !== false && user !== null) undecided.push({ user, decision });
    await pace();
  }
  return { matching, undecided };
}

/** Adds the counts of a chunk. The people of the first chunks are shown. */
function sumOf(before: UndecidedCounts | null, chunk: UndecidedCounts): UndecidedCounts {
  if (before === null) return chunk;
  const reasons = [...before.reasons];
  for (const reason of chunk.reasons) {
    const same = reasons.findIndex(({ code, field }) => code === reason.code && field === reason.field);
    const earlier = reasons[same];
    if (earlier === undefined) reasons.push(reason);
    else reasons[same] = { ...reason, count: earlier.count + reason.count };
  }
  return {
    count: before.count + chunk.count,
    people: [...before.people, ...chunk.people].slice(0, MOST_SHOWN),
    reasons: reasons.slice(0, MOST_SHOWN),
  };
}

async function createItems(tx: OrgTx, opening: queries.Opening, accountIds: string[]) {
  const people = await reviewingPeople(tx, opening);
  return insertItems(tx, opening, accountIds, people);
}

/** Returns those of the people in the settings who can review. */
export async function reviewingPeople(db: OrgDb, { settings }: Pick<Campaign, 'settings'>) {
  const { reviewer, fallback_reviewers } = settings;
  const listed = typeof reviewer === 'string' ? [] : await ableReviewers(db, reviewer);
  const fallback = await ableReviewers(db, fallback_reviewers ?? []);
  return { listed, fallback };
}
