import type { Granter, GrantersHook } from '#inventory/records/accounts/own-links.ts';
import { many } from '#kit/sql.ts';

/** The people who decided in the last 30 days that these accounts keep access. */
export const grantersByReviews: GrantersHook = (tx, accountIds) => many<Granter>(tx)`
    select distinct i.decided_by as person, i.decided_at as at from review_item i
    where i.org_id = ${tx.orgId} and i.account_id = any(${[...accountIds]}::uuid[]) and i.decision = 'keep'
      and i.decided_by is not null and i.decided_at > clock_now() - interval '30 days'
      and i.cycle_id in (
        select y.id from review_cycle y
        where y.org_id = ${tx.orgId} and (y.completed_at is null or y.completed_at > clock_now() - interval '366 days'))`;
