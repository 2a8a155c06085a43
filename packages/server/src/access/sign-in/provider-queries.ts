import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/open.ts';
import { isDuplicate } from '../../platform/database/sqlstate.ts';
import { conflict } from '../../platform/errors.ts';
import type { Page, Slice } from '../../platform/http/lists.ts';

/** As it is kept; each configuration is better-auth's own. */
export interface ProviderRow {
  provider_id: string;
  name: string;
  issuer: string;
  /** Email domains, separated by commas. */
  domain: string;
  oidc_config: string | null;
  saml_config: string | null;
  created_at: Date;
}

const columns = sql`provider_id, name, issuer, domain, oidc_config, saml_config, created_at`;

export async function list(db: Db, orgId: string, { limit, offset }: Page): Promise<Slice<ProviderRow>> {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from sign_in_provider where org_id = ${orgId}
    order by name, provider_id limit ${limit} offset ${offset}`.execute(db);
  const { rows: counted } = await sql<{ n: number }>`
    select count(*) as n from sign_in_provider where org_id = ${orgId}`.execute(db);
  return { count: counted[0]?.n ?? 0, results: rows };
}

export async function find(db: Db, orgId: string, providerId: string): Promise<ProviderRow | undefined> {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from sign_in_provider where org_id = ${orgId} and provider_id = ${providerId}`.execute(
    db,
  );
  return rows[0];
}

export type Saved = Omit<ProviderRow, 'created_at'>;

/** 409 where the id is taken. */
export async function insert(db: Db, orgId: string, userId: string, row: Saved): Promise<ProviderRow> {
  try {
    const { rows } = await sql<ProviderRow>`
      insert into sign_in_provider (org_id, user_id, provider_id, name, issuer, domain, oidc_config, saml_config)
      values (${orgId}, ${userId}, ${row.provider_id}, ${row.name}, ${row.issuer}, ${row.domain},
        ${row.oidc_config}, ${row.saml_config})
      returning ${columns}`.execute(db);
    return rows[0] as ProviderRow;
  } catch (error) {
    if (isDuplicate(error)) throw conflict(`There is a sign-in provider ${row.provider_id} already.`);
    throw error;
  }
}

export async function update(tx: Tx, orgId: string, row: Saved): Promise<ProviderRow | undefined> {
  const { rows } = await sql<ProviderRow>`
    update sign_in_provider set name = ${row.name}, issuer = ${row.issuer}, domain = ${row.domain},
      oidc_config = ${row.oidc_config}, saml_config = ${row.saml_config}
    where org_id = ${orgId} and provider_id = ${row.provider_id}
    returning ${columns}`.execute(tx);
  return rows[0];
}

/** Answers whether there was one. */
export async function remove(tx: Tx, orgId: string, providerId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from sign_in_provider where org_id = ${orgId} and provider_id = ${providerId} returning id`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Forgets what the provider called people: another one by its name must not be believed about them. */
export async function unlink(tx: Tx, orgId: string, providerId: string): Promise<void> {
  await sql`
    delete from sign_in_account where org_id = ${orgId} and provider_id = ${providerId}`.execute(tx);
}
