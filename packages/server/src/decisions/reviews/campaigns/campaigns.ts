import { PERSON_FIELDS } from '#directory/people/facts.ts';
import { requirePeople } from '#directory/people/people.ts';
import { compileCondition } from '#kit/cel.ts';
import { checkFields } from '#kit/cel-fields.ts';
import { databaseTime, type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, CallTx } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import { requireNotPast } from '#kit/instants.ts';
import { type IfMatch, requireVersion, versionOf } from '#kit/versions.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { reviewRefusals } from '../sentences.ts';
import type { Settings } from './cycle.ts';
import { campaignCreated, campaignDeleted, campaignUpdated } from './events.ts';
import type { Campaign } from './facts.ts';
import * as queries from './queries/campaigns.ts';
import { nextOpening } from './schedule.ts';

const ONE_DAY = 24 * 3600 * 1000;

/** Throws 404 for an unknown or malformed id. */
export async function getCampaign(db: OrgDb, campaignId: string): Promise<Campaign> {
  const campaign = isUuid(campaignId) ? await queries.findCampaign(db, campaignId) : undefined;
  if (campaign === undefined) throw notFound('Campaign');
  return campaign;
}

/** 404 for an app or a person outside the organization, 400 for a condition that does not compile. */
export async function createCampaign(call: Call, settings: Settings): Promise<Campaign> {
  const id = await transaction(call, async (tx) => {
    await requireValid(tx, settings);
    await requireStart(tx, settings);
    const created = await queries.insertCampaign(tx, settings, call.principal.userId);
    await scheduleFirstCycle(tx, created, settings);
    await recordEvents(tx, [campaignCreated(created, settings, call.cause)]);
    return created;
  });
  return getCampaign(call, id);
}

export const campaignVersion = ({ settings }: Campaign): string => versionOf(settings);

/** Changes settings from the next cycle on, if `ifMatch` names their version. Cycles that are opening or open keep their copy. */
export async function changeCampaign(
  call: Call,
  campaignId: string,
  change: Partial<Settings>,
  ifMatch: IfMatch = null,
): Promise<Campaign> {
  await transaction(call, async (tx) => {
    const campaign = await queries.lockCampaign(tx, campaignId);
    if (campaign === undefined) throw notFound('Campaign');
    requireVersion(ifMatch, campaignVersion(campaign));
    const settings = { ...campaign.settings, ...change };
    await requireValid(tx, settings);
    const { frequency, starts_at } = campaign.settings;
    if (settings.starts_at !== starts_at) await requireStart(tx, settings);
    await queries.setSettings(tx, campaignId, settings);
    if (settings.starts_at !== starts_at) await scheduleFirstCycle(tx, campaignId, settings);
    else if (settings.frequency !== frequency) await scheduleFirstCycle(tx, campaignId, settings, 0);
    await recordEvents(tx, campaignUpdated(campaignId, campaign.settings, settings, call.cause));
  });
  return getCampaign(call, campaignId);
}

/** Deletes a campaign: no further cycle opens. An open cycle continues, and all cycles stay as evidence. */
export async function deleteCampaign(call: Call, campaignId: string): Promise<void> {
  await transaction(call, async (tx) => {
    const campaign = await queries.lockCampaign(tx, campaignId);
    if (campaign === undefined) throw notFound('Campaign');
    await queries.scheduleCycle(tx, campaignId, null);
    await queries.markDeleted(tx, campaignId);
    await recordEvents(tx, [campaignDeleted(campaignId, campaign.settings, call.cause)]);
  });
}

/**
 * Names another reviewer in the place of one who leaves, in the settings of campaigns. Cycles that are opening or open keep their copy. The
 * caller records the events. Null: only counts the campaigns.
 */
export async function replaceInCampaigns(
  tx: CallTx,
  fromId: string,
  toId: string | null,
): Promise<{ found: number; moved: number; events: NewEvent[] }> {
  const campaigns = await queries.lockCampaignsNaming(tx, fromId);
  if (toId === null) return { found: campaigns.length, moved: 0, events: [] };
  const renamed = (ids: string[]) => [...new Set(ids.map((id) => (id === fromId ? toId : id)))];
  const events: NewEvent[] = [];
  for (const { id, settings } of campaigns) {
    const { reviewer, fallback_reviewers } = settings;
    const after = {
      ...settings,
      reviewer: typeof reviewer === 'string' ? reviewer : renamed(reviewer),
      fallback_reviewers: fallback_reviewers && renamed(fallback_reviewers),
    };
    await queries.setSettings(tx, id, after);
    events.push(...campaignUpdated(id, settings, after, tx.cause));
  }
  return { found: campaigns.length, moved: events.length, events };
}

async function requireValid(tx: OrgTx, settings: Settings) {
  const { frequency, starts_at } = settings;
  await requireScope(tx, settings);
  if (frequency !== 'once' && starts_at === null) throw reviewRefusals.recurring_without_start();
}

/** Throws 400 for a condition that does not compile, and 404 for an app or a person outside the organization. */
export async function requireScope(
  db: OrgDb,
  { scope, reviewer, fallback_reviewers }: Settings,
): Promise<void> {
  if (scope.users !== null) {
    compileCondition(scope.users, ['user'], 'scope.users');
    checkFields(scope.users, { user: PERSON_FIELDS }, 'scope.users');
  }
  if (scope.risks != null && !scope.include.includes('memberships'))
    throw reviewRefusals.risks_without_groups();
  if (scope.apps !== null && (await queries.countApps(db, scope.apps)) < scope.apps.length)
    throw notFound('App');
  await requirePeople(db, [...(typeof reviewer === 'string' ? [] : reviewer), ...(fallback_reviewers ?? [])]);
}

/** Throws 400 for a time in the past (D67). A stored one stays: it is the day and the time on which cycles open. */
async function requireStart(tx: OrgTx, { starts_at }: Settings) {
  if (starts_at !== null) requireNotPast(starts_at, 'starts_at', await databaseTime(tx));
}

/** A starts_at of up to one day ago still opens the first cycle: clocks differ, and forms stay open for a while. */
async function scheduleFirstCycle(tx: OrgTx, campaignId: string, settings: Settings, grace = ONE_DAY) {
  const now = await databaseTime(tx);
  await queries.scheduleCycle(tx, campaignId, nextOpening(settings, new Date(now.getTime() - grace)));
}
