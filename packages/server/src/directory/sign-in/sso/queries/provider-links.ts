import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';

/** The account at a provider with which a person signs in. */
export interface ProviderLink {
  id: string;
  /** The id of the provider. */
  provider: string;
  /** The name of the provider. */
  name: string;
  /** The `sub` or NameID that the provider gives the person. */
  subject: string;
  created_at: Date;
}

const columns = sql`a.id, a.provider_id as provider, coalesce(p.name, a.provider_id) as name, a.account_id as subject, a.created_at`;

export const listLinks = (db: OrgDb, userId: string) => many<ProviderLink>(db)`
    select ${columns}
    from sign_in_account a
    left join sign_in_provider p on p.org_id = a.org_id and p.provider_id = a.provider_id
    where a.org_id = ${db.orgId} and a.user_id = ${userId} and a.provider_id <> 'credential'
    order by a.created_at, a.id`;

/** Deletes a link of a person and returns it. */
export async function deleteLink(
  tx: OrgTx,
  userId: string,
  linkId: string,
): Promise<ProviderLink | undefined> {
  const link = (await listLinks(tx, userId)).find(({ id }) => id === linkId.toLowerCase());
  if (link === undefined) return undefined;
  const rows = await many(tx)`
    delete from sign_in_account where org_id = ${tx.orgId} and user_id = ${userId} and id = ${link.id}
    returning id`;
  return rows.length > 0 ? link : undefined;
}
