import type { OrgDb } from '#kit/database.ts';
import { mayDecide } from '#kit/identity.ts';
import { many } from '#kit/sql.ts';
import type { Candidate } from '../facts.ts';
import { containing, searchable } from '../filters.ts';

/** Only the name and the email count: a match of other fields would reveal them. The index serves the first condition. */
export const findCandidates = (
  db: OrgDb,
  { q, except, limit }: { q: string; except: string[]; limit: number },
) => many<Candidate>(db)`
    select u.id, trim(u.first_name || ' ' || u.last_name) as name, u.email
    from platform_user u
    where u.org_id = ${db.orgId} and ${mayDecide('u')} and ${searchable} like ${containing(q)}
      and (name_key(u.email) like ${containing(q)} or name_key(u.first_name || ' ' || u.last_name) like ${containing(q)})
      and not u.id = any(${except}::uuid[])
    order by lower(u.first_name || ' ' || u.last_name), u.id limit ${limit}`;
