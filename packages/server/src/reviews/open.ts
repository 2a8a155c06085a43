import type { NewEvent } from '../events/record.ts';
import { type Condition, compileCondition } from '../platform/cel.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, DomainError, notFound } from '../platform/errors.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { grantsOf } from '../provisioning/create.ts';
import type { Campaign } from './queries/campaigns.ts';
import * as campaigns from './queries/campaigns.ts';
import * as queries from './queries/open.ts';
import { nextTurn } from './schedule.ts';

export const OPEN_JOB = 'reviews.open';

/** Accounts whose items are frozen in one transaction. A cycle of fewer is open when its start is answered. */
const CHUNK = 2000;

interface Tools {
  db: Db;
  jobs: Jobs;
}

/** Opens a cycle now; answers its id. 409 while one is open, 422 where there is nothing to review. */
export function startCycle({ db, jobs }: Tools, orgId: string, campaignId: string): Promise<string> {
  return transaction(db, async (tx) => {
    const campaign = await campaigns.lockCampaign(tx, orgId, campaignId);
    if (campaign === undefined) throw notFound('Campaign');
    if (await queries.hasOpenCycle(tx, orgId, campaignId))
      throw conflict('A cycle of this campaign is open already.');
    return begin(tx, jobs, orgId, campaign);
  });
}

/** Opens a cycle whose turn has come. Any number of nodes may try: one does. */
export async function openDue(
  { db, jobs }: Tools,
  orgId: string,
  campaignId: string,
  cycleId: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    const campaign = await dueCampaign(tx, orgId, campaignId, cycleId);
    if (campaign !== undefined) await begin(tx, jobs, orgId, campaign);
  }).catch(async (error: unknown) => {
    if (!isEmptiness(error)) throw error;
    await transaction(db, async (tx) => {
      const campaign = await dueCampaign(tx, orgId, campaignId, cycleId);
      if (campaign === undefined) return;
      await campaigns.setEmpty(tx, orgId, campaignId);
      await scheduleNext(tx, orgId, campaign);
    });
  });
}

async function dueCampaign(tx: Tx, orgId: string, campaignId: string, cycleId: string) {
  const campaign = await campaigns.lockCampaign(tx, orgId, campaignId);
  if (campaign === undefined || (await queries.hasOpenCycle(tx, orgId, campaignId))) return undefined;
  return (await queries.isDue(tx, orgId, cycleId)) ? campaign : undefined;
}

const nothingToReview = () =>
  new DomainError(
    'unprocessable',
    'There is nothing to review: no account fits the scope. No cycle was opened.',
  );
const isEmptiness = (error: unknown) => error instanceof DomainError && error.code === 'unprocessable';

/** Goes as far as the first items, so that it is known whether there are any; a job does what is left. */
async function begin(tx: Tx, jobs: Jobs, orgId: string, campaign: Campaign): Promise<string> {
  const cycleId = await queries.beginCycle(tx, orgId, campaign.id, campaign.settings);
  await queries.countAccounts(tx, orgId, { id: cycleId, settings: campaign.settings, last_account: null });
  const condition = conditionOf(campaign);
  let chunk = await openChunk(tx, orgId, cycleId, condition);
  while (chunk.items === 0 && !chunk.finished) chunk = await openChunk(tx, orgId, cycleId, condition);
  if (chunk.items === 0) throw nothingToReview();
  if (!chunk.finished) await jobs.send(tx, OPEN_JOB, { orgId, cycleId }, { key: cycleId });
  await scheduleNext(tx, orgId, campaign);
  return cycleId;
}

const scheduleNext = (tx: Tx, orgId: string, { id, settings }: Campaign) =>
  campaigns.setWaiting(tx, orgId, id, settings.frequency === 'once' ? null : nextTurn(settings, new Date()));

const conditionOf = ({ settings: { scope } }: Pick<Campaign, 'settings'>): Condition | null =>
  scope.users === null ? null : compileCondition(scope.users, ['user']);

/** Opens on, chunk by chunk, from wherever it has come to. */
export async function continueOpening(db: Db, orgId: string, cycleId: string): Promise<void> {
  const opening = await transaction(db, (tx) => queries.lockOpening(tx, orgId, cycleId));
  if (opening === undefined) return;
  const condition = conditionOf(opening);
  for (let finished = false; !finished; ) {
    ({ finished } = await transaction(db, (tx) => openChunk(tx, orgId, cycleId, condition)));
  }
}

async function openChunk(tx: Tx, orgId: string, cycleId: string, condition: Condition | null) {
  const opening = await queries.lockOpening(tx, orgId, cycleId);
  if (opening === undefined) return { items: 0, finished: true };
  const accounts = await queries.nextAccounts(tx, orgId, opening, CHUNK);
  const ids = accounts
    .filter(({ user }) => condition === null || (user !== null && condition.matches({ user })))
    .map(({ id }) => id);
  const items = ids.length === 0 ? 0 : await freeze(tx, orgId, opening, ids);
  const finished = accounts.length < CHUNK;
  const last = accounts.at(-1)?.id ?? null;
  await queries.advance(tx, orgId, opening, { accounts: accounts.length, last, items, finished });
  // Whoever left while it was being opened.
  if (finished) await queries.passOn(tx, orgId, { cycleId });
  return { items, finished };
}

async function freeze(tx: Tx, orgId: string, opening: queries.Opening, accountIds: string[]) {
  const { reviewer, fallback_reviewers } = opening.settings;
  const listed = typeof reviewer === 'string' ? [] : await queries.ableReviewers(tx, orgId, reviewer);
  const fallback = await queries.ableReviewers(tx, orgId, fallback_reviewers ?? []);
  const grants = await grantsOf(tx, orgId, accountIds);
  return queries.freezeItems(tx, orgId, opening, accountIds, grants, { listed, fallback });
}

/** When people leave, or become auditors, what they were to review passes on: a PeopleHook (people/save.ts). */
export async function passOnReviews(tx: Tx, orgId: string, events: readonly NewEvent[]): Promise<void> {
  const people = events.filter(mayTakeReviewer).map(({ subject }) => subject.uuid);
  if (people.length > 0) await queries.passOn(tx, orgId, { people });
}

const mayTakeReviewer = (event: NewEvent): boolean =>
  event.type === 'user.deactivated' ||
  event.type === 'user.deleted' ||
  (event.type === 'user.updated' && event.payload.changes.some(({ field }) => field === 'role'));

/** What the hook could not see: an item and a leaving that came in two transactions at once. */
export const passOnForgotten = (db: Db): Promise<void> => queries.passOnOfAll(db);
