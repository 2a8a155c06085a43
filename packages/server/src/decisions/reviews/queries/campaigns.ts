import { sql } from 'kysely';
import type { OrgDb, OrgTx } from '../../../kit/database/organization.ts';
import type { Settings } from '../cycle.ts';
import { type Campaign, campaignView } from '../facts.ts';

export async function findCampaign(db: OrgDb, campaignId: string): Promise<Campaign | undefined> {
  const { rows } = await sql<Campaign>`
    select ${campaignView(db)} from review_campaign c
    where c.org_id = ${db.orgId} and c.id = ${campaignId} and c.deleted_at is null`.execute(db);
  return rows[0];
}

/** Locks the campaign until `tx` ends: changes, starts and scheduled openings of a campaign run one at a time. */
export async function lockCampaign(tx: OrgTx, campaignId: string): Promise<Campaign | undefined> {
  await sql`
    select from review_campaign where org_id = ${tx.orgId} and id = ${campaignId} for no key update`.execute(
    tx,
  );
  return findCampaign(tx, campaignId);
}

export async function insertCampaign(tx: OrgTx, settings: Settings, createdBy: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into review_campaign (org_id, settings, created_by)
    values (${tx.orgId}, ${JSON.stringify(settings)}::jsonb, ${createdBy}) returning id`.execute(tx);
  return rows[0]?.id as string;
}

export async function setSettings(tx: OrgTx, campaignId: string, settings: Settings): Promise<void> {
  await sql`
    update review_campaign set settings = ${JSON.stringify(settings)}::jsonb, updated_at = now()
    where org_id = ${tx.orgId} and id = ${campaignId}`.execute(tx);
}

export async function markDeleted(tx: OrgTx, campaignId: string): Promise<void> {
  await sql`update review_campaign set deleted_at = now() where org_id = ${tx.orgId} and id = ${campaignId}`.execute(
    tx,
  );
}

/** Notes that a scheduled cycle had nothing to review. */
export async function markEmpty(tx: OrgTx, campaignId: string): Promise<void> {
  await sql`
    update review_campaign set last_empty_at = clock_now() where org_id = ${tx.orgId} and id = ${campaignId}`.execute(
    tx,
  );
}

/** Sets when the campaign's waiting cycle opens. Null deletes the waiting cycle. */
export async function scheduleCycle(tx: OrgTx, campaignId: string, opensAt: Date | null): Promise<void> {
  if (opensAt === null) {
    await sql`
      delete from review_cycle
      where org_id = ${tx.orgId} and campaign_id = ${campaignId} and begun_at is null`.execute(tx);
    return;
  }
  await sql`
    insert into review_cycle (org_id, campaign_id, opens_at)
    values (${tx.orgId}, ${campaignId}, ${opensAt.toISOString()})
    on conflict (org_id, campaign_id) where begun_at is null do update set opens_at = excluded.opens_at`.execute(
    tx,
  );
}

/** Returns how many of these apps exist and are not archived. */
export async function countApps(db: OrgDb, appIds: string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from app
    where org_id = ${db.orgId} and id = any(${appIds}::uuid[]) and archived_at is null`.execute(db);
  return rows[0]?.n ?? 0;
}
