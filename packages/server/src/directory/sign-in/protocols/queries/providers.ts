import type { OrgDb, OrgTx } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, one, run, sql, value } from '#kit/sql.ts';

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
  const rows = await many<ProviderRow>(db)`
    select ${columns} from sign_in_provider where org_id = ${db.orgId}
    order by name, provider_id limit ${limit} offset ${offset}`;
  const counted = await value<number>(db)`
    select count(*) as n from sign_in_provider where org_id = ${db.orgId}`;
  return { count: counted, results: rows };
}

export const listSamlProviders = (db: OrgDb) => many<{
  provider_id: string;
  name: string;
  saml_config: string;
}>(db)`
    select provider_id, coalesce(nullif(name, ''), provider_id) as name, saml_config from sign_in_provider
    where org_id = ${db.orgId} and saml_config is not null order by provider_id`;

export const findProvider = (db: OrgDb, providerId: string) => one<ProviderRow>(db)`
    select ${columns} from sign_in_provider where org_id = ${db.orgId} and provider_id = ${providerId}`;

/** Returns the provider and locks it. */
export const lockProvider = (tx: OrgTx, providerId: string) => one<ProviderRow>(tx)`
    select ${columns} from sign_in_provider
    where org_id = ${tx.orgId} and provider_id = ${providerId} for update`;

export type NewProviderRow = Omit<ProviderRow, 'created_at' | 'tells_auth_time'>;

export async function insertProvider(tx: OrgTx, userId: string, row: NewProviderRow): Promise<ProviderRow> {
  return (await one<ProviderRow>(tx)`
    insert into sign_in_provider (org_id, user_id, provider_id, name, issuer, domain, oidc_config, saml_config,
      trusts_email, approved_for_owners_at, approved_for_owners_by)
    values (${tx.orgId}, ${userId}, ${row.provider_id}, ${row.name}, ${row.issuer}, ${row.domain},
      ${row.oidc_config}, ${row.saml_config}, ${row.trusts_email}, ${row.approved_for_owners_at},
      ${row.approved_for_owners_by})
    returning ${columns}`) as ProviderRow;
}

/** Changes a provider. With another configuration, nobody knows yet whether it says when people signed in. */
export async function updateProvider(tx: OrgTx, row: NewProviderRow): Promise<ProviderRow> {
  return (await one<ProviderRow>(tx)`
    update sign_in_provider set name = ${row.name}, issuer = ${row.issuer}, domain = ${row.domain},
      oidc_config = ${row.oidc_config}, saml_config = ${row.saml_config}, trusts_email = ${row.trusts_email},
      approved_for_owners_at = ${row.approved_for_owners_at}, approved_for_owners_by = ${row.approved_for_owners_by},
      tells_auth_time = case when oidc_config is not distinct from ${row.oidc_config}
        and saml_config is not distinct from ${row.saml_config} then tells_auth_time end
    where org_id = ${tx.orgId} and provider_id = ${row.provider_id}
    returning ${columns}`) as ProviderRow;
}

/** Notes whether a provider says when it authenticated a person. */
export const noteAuthTime = (db: OrgDb, providerId: string, tells: boolean) => run(db)`
    update sign_in_provider set tells_auth_time = ${tells}
    where org_id = ${db.orgId} and provider_id = ${providerId} and tells_auth_time is distinct from ${tells}`;

export const deleteProvider = (tx: OrgTx, providerId: string) => run(tx)`
    delete from sign_in_provider where org_id = ${tx.orgId} and provider_id = ${providerId}`;

/** Deletes the links between these people and accounts of all providers. */
export const unlinkPeople = (tx: OrgTx, userIds: string[]) => run(tx)`
    delete from sign_in_account
    where org_id = ${tx.orgId} and user_id = any(${userIds}::uuid[]) and provider_id <> 'credential'`;

/** Deletes the links between people and a provider's accounts. A later provider with this id must not inherit them. */
export const unlinkProviderAccounts = (tx: OrgTx, providerId: string) => run(tx)`
    delete from sign_in_account where org_id = ${tx.orgId} and provider_id = ${providerId}`;
