import type { OrgTx } from '#kit/database.ts';
import { many } from '#kit/sql.ts';

/** A person who has a user name. */
export interface UserNameHolder {
  id: string;
  email: string;
  /** The name as it was asked for. */
  name: string;
}

const NAMES_AT_ONCE = 2000;

/** Returns the people with these user names, in slices, so that no result takes long to read. */
export async function findByUserNames(tx: OrgTx, names: readonly string[]): Promise<UserNameHolder[]> {
  const found: UserNameHolder[] = [];
  for (let start = 0; start < names.length; start += NAMES_AT_ONCE) {
    const rows = await many<UserNameHolder>(tx)`
      select u.id, u.email, w.name
      from unnest(${names.slice(start, start + NAMES_AT_ONCE)}::text[]) as w (name)
      join platform_user u on u.org_id = ${tx.orgId} and name_key(u.username) = name_key(w.name)
      where u.merged_into is null and u.succeeded_by is null and not exists (
        select from person_source s
        where s.org_id = ${tx.orgId} and s.org_id = u.org_id and s.user_id = u.id and s.deleted_at is not null)
      order by u.id`;
    found.push(...rows);
  }
  return found;
}
