import { sql } from 'kysely';
import type { OrgDb, OrgTx } from '../../../../kit/database/organization.ts';
import type { Page, Slice } from '../../../../kit/pages.ts';

/** A sign-in provider as stored. Each configuration has better-auth's own format. */
export interface ProviderRow {
  provider_id: string;
  name: string;
  issuer: string;
  /** Email domains, separated by commas. */
  domain: string;
  oidc_config: string | null;
  saml_config: string | null;
  trusts_email: boolean;
  /** When and by whom the provider was approved to sign in owners. Null: it may not. */
  approved_for_owners_at: Date | null;
  approved_for_owners_by: string | null;
  /** Whether the provider said when it authenticated a person, at the last sign-in. Null: nobody signed in yet. */
  tells_auth_time: boolean | null;
  created_at: Date;
}

const columns = sql`provider_id, name, issuer, domain, oidc_config, saml_config, trusts_email,
  approved_for_owners_at, approved_for_owners_by, tells_auth_time, created_at`;

export async function listProviders(db: OrgDb, { limit, offset }: Page): Promise<Slice<ProviderRow>> {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from sign_in_provider where org_id = ${db.orgId}
    order by name, provider_id limit ${limit} offset ${offset}`.execute(db);
  const { rows: counted } = await sql<{ n: number }>`
    select count(*) as n from sign_in_provider where org_id = ${db.orgId}`.execute(db);
  return { count: counted[0]?.n ?? 0, results: rows };
}

export async function listSamlProviders(
  db: OrgDb,
): Promise<{ provider_id: string; name: string; saml_config: string }[]> {
  const { rows } = await sql<{ provider_id: string; name: string; saml_config: string }>`
    select provider_id, coalesce(nullif(name, ''), provider_id) as name, saml_config from sign_in_provider
    where org_id = ${db.orgId} and saml_config is not null order by provider_id`.execute(db);
  return rows;
}

export async function findProvider(db: OrgDb, providerId: string): Promise<ProviderRow | undefined> {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from sign_in_provider where org_id = ${db.orgId} and provider_id = ${providerId}`.execute(
    db,
  );
  return rows[0];
}

/** Returns the provider and locks it. */
export async function lockProvider(tx: OrgTx, providerId: string): Promise<ProviderRow | undefined> {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from sign_in_provider
    where org_id = ${tx.orgId} and provider_id = ${providerId} for update`.execute(tx);
  return rows[0];
}

export type NewProviderRow = Omit<ProviderRow, 'created_at' | 'tells_auth_time'>;

export async function insertProvider(tx: OrgTx, userId: string, row: NewProviderRow): Promise<ProviderRow> {
  const { rows } = await sql<ProviderRow>`
    insert into sign_in_provider (org_id, user_id, provider_id, name, issuer, domain, oidc_config, saml_config,
      trusts_email, approved_for_owners_at, approved_for_owners_by)
    values (${tx.orgId}, ${userId}, ${row.provider_id}, ${row.name}, ${row.issuer}, ${row.domain},
      ${row.oidc_config}, ${row.saml_config}, ${row.trusts_email}, ${row.approved_for_owners_at},
      ${row.approved_for_owners_by})
    returning ${columns}`.execute(tx);
  return rows[0] as ProviderRow;
}

/** Changes a provider. With another configuration, nobody knows yet whether it says when people signed in. */
export async function updateProvider(tx: OrgTx, row: NewProviderRow): Promise<ProviderRow> {
  const { rows } = await sql<ProviderRow>`
    update sign_in_provider set name = ${row.name}, issuer = ${row.issuer}, domain = ${row.domain},
      oidc_config = ${row.oidc_config}, saml_config = ${row.saml_config}, trusts_email = ${row.trusts_email},
      approved_for_owners_at = ${row.approved_for_owners_at}, approved_for_owners_by = ${row.approved_for_owners_by},
      tells_auth_time = case when oidc_config is not distinct from ${row.oidc_config}
        and saml_config is not distinct from ${row.saml_config} then tells_auth_time end
    where org_id = ${tx.orgId} and provider_id = ${row.provider_id}
    returning ${columns}`.execute(tx);
  return rows[0] as ProviderRow;
}

/** Notes whether a provider says when it authenticated a person. */
export async function noteAuthTime(db: OrgDb, providerId: string, tells: boolean): Promise<void> {
  await sql`
    update sign_in_provider set tells_auth_time = ${tells}
    where org_id = ${db.orgId} and provider_id = ${providerId} and tells_auth_time is distinct from ${tells}`.execute(
    db,
  );
}

export async function deleteProvider(tx: OrgTx, providerId: string): Promise<void> {
  await sql`
    delete from sign_in_provider where org_id = ${tx.orgId} and provider_id = ${providerId}`.execute(tx);
}

/** Deletes the links between these people and accounts of all providers. */
export async function unlinkPeople(tx: OrgTx, userIds: string[]): Promise<void> {
  await sql`
    delete from sign_in_account
    where org_id = ${tx.orgId} and user_id = any(${userIds}::uuid[]) and provider_id <> 'credential'`.execute(
    tx,
  );
}

/** Deletes the links between people and a provider's accounts. A later provider with this id must not inherit them. */
export async function unlinkProviderAccounts(tx: OrgTx, providerId: string): Promise<void> {
  await sql`
    delete from sign_in_account where org_id = ${tx.orgId} and provider_id = ${providerId}`.execute(tx);
}
