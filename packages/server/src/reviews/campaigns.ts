import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import { PERSON_FIELDS } from '../people/facts.ts';
import { requirePeople } from '../people/people.ts';
import { compileCondition } from '../platform/cel.ts';
import { checkFields } from '../platform/cel-fields.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import type { Settings } from './cycle.ts';
import { campaignCreated, campaignDeleted, campaignUpdated } from './events.ts';
import type { Campaign } from './queries/campaigns.ts';
import * as queries from './queries/campaigns.ts';
import { nextOpening } from './schedule.ts';

export type { Campaign } from './queries/campaigns.ts';
export { listCampaigns } from './queries/campaigns.ts';

const ONE_DAY = 24 * 3600 * 1000;

/** Throws 404 for an unknown or malformed id. */
export async function getCampaign(db: Db, orgId: string, campaignId: string): Promise<Campaign> {
  const campaign = isUuid(campaignId) ? await queries.findCampaign(db, orgId, campaignId) : undefined;
  if (campaign === undefined) throw notFound('Campaign');
  return campaign;
}

/** 404 for an app or a person outside the organization, 400 for a condition that does not compile. */
export async function createCampaign(
  db: Db,
  { orgId, userId }: Principal,
  settings: Settings,
  cause: RequestCause,
): Promise<Campaign> {
  const id = await transaction(db, async (tx) => {
    await requireValid(tx, orgId, settings);
    const created = await queries.insertCampaign(tx, orgId, settings, userId);
    await scheduleFirstCycle(tx, orgId, created, settings);
    await recordEvents(tx, orgId, [campaignCreated(created, settings, cause)]);
    return created;
  });
  return getCampaign(db, orgId, id);
}

/** Changes settings from the next cycle on. Cycles that are opening or open keep their copy. */
export async function changeCampaign(
  db: Db,
  orgId: string,
  campaignId: string,
  change: Partial<Settings>,
  cause: RequestCause,
): Promise<Campaign> {
  await transaction(db, async (tx) => {
    const campaign = await queries.lockCampaign(tx, orgId, campaignId);
    if (campaign === undefined) throw notFound('Campaign');
    const settings = { ...campaign.settings, ...change };
    await requireValid(tx, orgId, settings);
    await queries.setSettings(tx, orgId, campaignId, settings);
    const { frequency, starts_at } = campaign.settings;
    if (settings.starts_at !== starts_at) await scheduleFirstCycle(tx, orgId, campaignId, settings);
    else if (settings.frequency !== frequency) await scheduleFirstCycle(tx, orgId, campaignId, settings, 0);
    await recordEvents(tx, orgId, campaignUpdated(campaignId, campaign.settings, settings, cause));
  });
  return getCampaign(db, orgId, campaignId);
}

/** Deletes a campaign: no further cycle opens. An open cycle continues, and all cycles stay as evidence. */
export async function deleteCampaign(
  db: Db,
  orgId: string,
  campaignId: string,
  cause: RequestCause,
): Promise<void> {
  await transaction(db, async (tx) => {
    const campaign = await queries.lockCampaign(tx, orgId, campaignId);
    if (campaign === undefined) throw notFound('Campaign');
    await queries.scheduleCycle(tx, orgId, campaignId, null);
    await queries.markDeleted(tx, orgId, campaignId);
    await recordEvents(tx, orgId, [campaignDeleted(campaignId, campaign.settings, cause)]);
  });
}

async function requireValid(tx: Tx, orgId: string, settings: Settings) {
  const { scope, reviewer, fallback_reviewers, frequency, starts_at } = settings;
  if (scope.users !== null) {
    compileCondition(scope.users, ['user'], 'scope.users');
    checkFields(scope.users, { user: PERSON_FIELDS }, 'scope.users');
  }
  if (scope.risks != null && !scope.include.includes('memberships'))
    throw invalid('scope.risks: Only groups have a risk. Add memberships to scope.include.');
  if (frequency !== 'once' && starts_at === null)
    throw invalid('A recurring campaign needs starts_at, the time when its first cycle opens.');
  if (scope.apps !== null && (await queries.countApps(tx, orgId, scope.apps)) < scope.apps.length)
    throw notFound('App');
  await requirePeople(tx, orgId, [
    ...(typeof reviewer === 'string' ? [] : reviewer),
    ...(fallback_reviewers ?? []),
  ]);
}

/** A starts_at of up to one day ago still opens the first cycle: clocks differ, and forms stay open for a while. */
const scheduleFirstCycle = (tx: Tx, orgId: string, campaignId: string, settings: Settings, grace = ONE_DAY) =>
  queries.scheduleCycle(tx, orgId, campaignId, nextOpening(settings, new Date(Date.now() - grace)));
