import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, one, run, value } from '#kit/sql.ts';
import type { Settings } from '../cycle.ts';
import { type Campaign, campaignView } from '../facts.ts';

export const findCampaign = (db: OrgDb, campaignId: string) => one<Campaign>(db)`
    select ${campaignView(db)} from review_campaign c
    where c.org_id = ${db.orgId} and c.id = ${campaignId} and c.deleted_at is null`;

/** Locks the campaign until `tx` ends: changes, starts and scheduled openings of a campaign run one at a time. */
export async function lockCampaign(tx: OrgTx, campaignId: string): Promise<Campaign | undefined> {
  await run(tx)`
    select from review_campaign where org_id = ${tx.orgId} and id = ${campaignId} for no key update`;
  return findCampaign(tx, campaignId);
}

/** Locks the campaigns whose settings name this person as a reviewer. */
export const lockCampaignsNaming = (tx: OrgTx, userId: string) => many<{ id: string; settings: Settings }>(
  tx,
)`
    select c.id, c.settings from review_campaign c
    where c.org_id = ${tx.orgId} and c.deleted_at is null
      and (c.settings -> 'fallback_reviewers' ? ${userId} or c.settings -> 'reviewer' ? ${userId})
    order by c.id for no key update`;

export const insertCampaign = (tx: OrgTx, settings: Settings, createdBy: string) => value<string>(tx)`
    insert into review_campaign (org_id, settings, created_by)
    values (${tx.orgId}, ${JSON.stringify(settings)}::jsonb, ${createdBy}) returning id`;

export const setSettings = (tx: OrgTx, campaignId: string, settings: Settings) => run(tx)`
    update review_campaign set settings = ${JSON.stringify(settings)}::jsonb, updated_at = now()
    where org_id = ${tx.orgId} and id = ${campaignId}`;

export const markDeleted = (tx: OrgTx, campaignId: string) =>
  run(tx)`update review_campaign set deleted_at = now() where org_id = ${tx.orgId} and id = ${campaignId}`;

/** Notes that a scheduled cycle had nothing to review. */
export const markEmpty = (tx: OrgTx, campaignId: string) => run(tx)`
    update review_campaign set last_empty_at = clock_now() where org_id = ${tx.orgId} and id = ${campaignId}`;

/** Sets when the campaign's waiting cycle opens. Null deletes the waiting cycle. */
export async function scheduleCycle(tx: OrgTx, campaignId: string, opensAt: Date | null): Promise<void> {
  if (opensAt === null) {
    await run(tx)`
      delete from review_cycle
      where org_id = ${tx.orgId} and campaign_id = ${campaignId} and begun_at is null`;
    return;
  }
  await run(tx)`
    insert into review_cycle (org_id, campaign_id, opens_at)
    values (${tx.orgId}, ${campaignId}, ${opensAt.toISOString()})
    on conflict (org_id, campaign_id) where begun_at is null do update set opens_at = excluded.opens_at`;
}

/** Returns how many of these apps exist and are not archived. */
export const countApps = (db: OrgDb, appIds: string[]) => value<number>(db)`
    select count(*) as n from app
    where org_id = ${db.orgId} and id = any(${appIds}::uuid[]) and archived_at is null`;
