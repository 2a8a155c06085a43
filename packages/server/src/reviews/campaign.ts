import type { Principal } from '../identity/principal.ts';
import { requirePeople } from '../people/people.ts';
import { compileCondition } from '../platform/cel.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { invalid, notFound } from '../platform/errors.ts';
import type { Settings } from './cycle.ts';
import type { Campaign } from './queries/campaigns.ts';
import * as queries from './queries/campaigns.ts';
import { nextTurn } from './schedule.ts';

export type { Campaign } from './queries/campaigns.ts';
export { listCampaigns } from './queries/campaigns.ts';

const ONE_DAY = 24 * 3600 * 1000;

export async function campaignOf(db: Db, orgId: string, campaignId: string): Promise<Campaign> {
  const campaign = await queries.findCampaign(db, orgId, campaignId);
  if (campaign === undefined) throw notFound('Campaign');
  return campaign;
}

/** 404 for an app or a person that is not of the organization, 400 for a condition that does not compile. */
export async function createCampaign(
  db: Db,
  { orgId, userId }: Principal,
  settings: Settings,
): Promise<Campaign> {
  const id = await transaction(db, async (tx) => {
    await requireSound(tx, orgId, settings);
    const created = await queries.insertCampaign(tx, orgId, settings, userId);
    await schedule(tx, orgId, created, settings);
    return created;
  });
  return campaignOf(db, orgId, id);
}

/** Cycles whose opening has begun keep the settings that they began with. */
export async function changeCampaign(
  db: Db,
  orgId: string,
  campaignId: string,
  change: Partial<Settings>,
): Promise<Campaign> {
  await transaction(db, async (tx) => {
    const campaign = await queries.lockCampaign(tx, orgId, campaignId);
    if (campaign === undefined) throw notFound('Campaign');
    const settings = { ...campaign.settings, ...change };
    await requireSound(tx, orgId, settings);
    await queries.setSettings(tx, orgId, campaignId, settings);
    const { frequency, starts_at } = campaign.settings;
    if (settings.starts_at !== starts_at) await schedule(tx, orgId, campaignId, settings);
    else if (settings.frequency !== frequency) await schedule(tx, orgId, campaignId, settings, 0);
  });
  return campaignOf(db, orgId, campaignId);
}

/** No cycle opens any more; one that is open goes on to its end, and all of them stay as evidence. */
export async function deleteCampaign(db: Db, orgId: string, campaignId: string): Promise<void> {
  await transaction(db, async (tx) => {
    if ((await queries.lockCampaign(tx, orgId, campaignId)) === undefined) throw notFound('Campaign');
    await queries.setWaiting(tx, orgId, campaignId, null);
    await queries.setDeleted(tx, orgId, campaignId);
  });
}

async function requireSound(tx: Tx, orgId: string, settings: Settings) {
  const { scope, reviewer, fallback_reviewers, frequency, starts_at } = settings;
  if (scope.users !== null) compileCondition(scope.users, ['user'], 'scope.users');
  if (frequency !== 'once' && starts_at === null)
    throw invalid('A campaign that recurs needs starts_at: when its first cycle opens.');
  if (scope.apps !== null && (await queries.countApps(tx, orgId, scope.apps)) < scope.apps.length)
    throw notFound('App');
  await requirePeople(tx, orgId, [
    ...(typeof reviewer === 'string' ? [] : reviewer),
    ...(fallback_reviewers ?? []),
  ]);
}

/** A start that lies a day back, at most, is still taken for the first turn: clocks differ, and people are slow. */
const schedule = (tx: Tx, orgId: string, campaignId: string, settings: Settings, grace = ONE_DAY) =>
  queries.setWaiting(tx, orgId, campaignId, nextTurn(settings, new Date(Date.now() - grace)));
