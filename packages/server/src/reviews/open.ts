import { type NewEvent, recordEvents } from '../events/record.ts';
import { BY_THE_CLOCK, type Cause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import { type Condition, compileCondition } from '../platform/cel.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, DomainError, notFound } from '../platform/errors.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { filterInTurns } from '../platform/pacer.ts';
import { grantsOf } from '../provisioning/create.ts';
import { type Cycle, getCycle } from './cycles.ts';
import { campaignStarted } from './events.ts';
import type { Campaign } from './queries/campaigns.ts';
import * as campaigns from './queries/campaigns.ts';
import * as queries from './queries/open.ts';
import { reassignItems } from './reassign.ts';
import { dueAt, nextOpening } from './schedule.ts';

export const OPEN_JOB = 'reviews.open';

/** Accounts whose items one transaction creates. A smaller cycle is open when the reply to its start is sent. */
const CHUNK = 2000;

interface Tools {
  db: Db;
  jobs: Jobs;
}

/** Opens a cycle now. 409 if the campaign has an open cycle, 422 if there is nothing to review. */
export async function startCycle(
  { db, jobs }: Tools,
  principal: Principal,
  campaignId: string,
  cause: Cause,
): Promise<Cycle> {
  const { orgId } = principal;
  const cycleId = await transaction(db, async (tx) => {
    const campaign = await campaigns.lockCampaign(tx, orgId, campaignId);
    if (campaign === undefined) throw notFound('Campaign');
    if (await queries.hasOpenCycle(tx, orgId, campaignId))
      throw conflict('This campaign already has an open cycle.');
    return beginOpening(tx, jobs, orgId, campaign, cause);
  });
  return getCycle(db, principal, cycleId);
}

/**
 * Opens a waiting cycle whose time has come. If there is nothing to review, notes that on the campaign and schedules
 * the next cycle. Any number of nodes may call this for the same cycle: the campaign's lock lets one of them open it.
 */
export async function openDueCycle(
  { db, jobs }: Tools,
  orgId: string,
  campaignId: string,
  cycleId: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    const campaign = await lockDueCampaign(tx, orgId, campaignId, cycleId);
    if (campaign !== undefined) await beginOpening(tx, jobs, orgId, campaign, BY_THE_CLOCK);
  }).catch(async (error: unknown) => {
    if (!isNothingToReview(error)) throw error;
    await transaction(db, async (tx) => {
      const campaign = await lockDueCampaign(tx, orgId, campaignId, cycleId);
      if (campaign === undefined) return;
      await campaigns.markEmpty(tx, orgId, campaignId);
      await scheduleNextCycle(tx, orgId, campaign);
    });
  });
}

async function lockDueCampaign(tx: Tx, orgId: string, campaignId: string, cycleId: string) {
  const campaign = await campaigns.lockCampaign(tx, orgId, campaignId);
  if (campaign === undefined || (await queries.hasOpenCycle(tx, orgId, campaignId))) return undefined;
  return (await queries.isDue(tx, orgId, cycleId)) ? campaign : undefined;
}

const nothingToReview = () =>
  new DomainError(
    'unprocessable',
    'There is nothing to review: no account matches the scope. No cycle was opened.',
  );
const isNothingToReview = (error: unknown) => error instanceof DomainError && error.code === 'unprocessable';

/** Creates the first items, so that the caller learns whether there are any. A job creates the rest. */
async function beginOpening(
  tx: Tx,
  jobs: Jobs,
  orgId: string,
  campaign: Campaign,
  cause: Cause,
): Promise<string> {
  const cycleId = await queries.beginCycle(tx, orgId, campaign.id, campaign.settings);
  const accounts = await queries.countAccounts(tx, orgId, { id: cycleId, settings: campaign.settings });
  const condition = conditionOf(campaign);
  let chunk = await openChunk(tx, orgId, cycleId, condition);
  while (chunk.items === 0 && !chunk.finished) chunk = await openChunk(tx, orgId, cycleId, condition);
  if (chunk.items === 0) throw nothingToReview();
  if (!chunk.finished) await jobs.send(tx, OPEN_JOB, { orgId, cycleId }, { key: cycleId });
  await scheduleNextCycle(tx, orgId, campaign);
  const started = campaignStarted(campaign.id, campaign.settings, { id: cycleId, accounts }, cause);
  await recordEvents(tx, orgId, [started, ...chunk.events]);
  return cycleId;
}

const scheduleNextCycle = (tx: Tx, orgId: string, { id, settings }: Campaign) =>
  campaigns.scheduleCycle(
    tx,
    orgId,
    id,
    settings.frequency === 'once' ? null : nextOpening(settings, new Date()),
  );

export const conditionOf = ({ settings: { scope } }: Pick<Campaign, 'settings'>): Condition | null =>
  scope.users === null ? null : compileCondition(scope.users, ['user']);

/** Finishes an opening, chunk by chunk, from where it stopped. */
export async function continueOpening(db: Db, orgId: string, cycleId: string): Promise<void> {
  const opening = await transaction(db, (tx) => queries.lockOpening(tx, orgId, cycleId));
  if (opening === undefined) return;
  const condition = conditionOf(opening);
  for (let finished = false; !finished; ) {
    finished = await transaction(db, async (tx) => {
      const chunk = await openChunk(tx, orgId, cycleId, condition);
      await recordEvents(tx, orgId, chunk.events);
      return chunk.finished;
    });
  }
}

interface Chunk {
  items: number;
  finished: boolean;
  events: NewEvent[];
}

async function openChunk(
  tx: Tx,
  orgId: string,
  cycleId: string,
  condition: Condition | null,
): Promise<Chunk> {
  const opening = await queries.lockOpening(tx, orgId, cycleId);
  if (opening === undefined) return { items: 0, finished: true, events: [] };
  const accounts = await queries.nextAccounts(tx, orgId, opening, CHUNK);
  const matching = await filterInTurns(
    accounts,
    ({ user }) => condition === null || (user !== null && condition.matches({ user })),
  );
  const ids = matching.map(({ id }) => id);
  const items = ids.length === 0 ? 0 : await createItems(tx, orgId, opening, ids);
  const finished = accounts.length < CHUNK;
  const last = accounts.at(-1)?.id ?? null;
  await queries.advanceOpening(tx, orgId, cycleId, { accounts: accounts.length, last, items });
  if (!finished) return { items, finished, events: [] };
  const { now, settings } = opening;
  await queries.finishOpening(tx, orgId, cycleId, { openedAt: now, dueAt: dueAt(now, settings.due_days) });
  // Reviewers may have left while the cycle was opening.
  return { items, finished, events: await reassignItems(tx, orgId, { cycleId }) };
}

async function createItems(tx: Tx, orgId: string, opening: queries.Opening, accountIds: string[]) {
  const { reviewer, fallback_reviewers } = opening.settings;
  const listed = typeof reviewer === 'string' ? [] : await queries.ableReviewers(tx, orgId, reviewer);
  const fallback = await queries.ableReviewers(tx, orgId, fallback_reviewers ?? []);
  const grants = await grantsOf(tx, orgId, accountIds);
  return queries.insertItems(tx, orgId, opening, accountIds, grants, { listed, fallback });
}
