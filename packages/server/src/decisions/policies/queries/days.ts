import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, type RawBuilder, run, sql } from '#kit/sql.ts';
import { DAY_OF, type PolicySpec } from '../policy.ts';

/** Somebody whose first or last day makes a policy fire. */
export interface ReachedDay {
  user_id: string;
  /** The first or last day. */
  day: string;
}

type WithDays = Pick<PolicySpec, 'trigger' | 'offset_days'>;

/** The day of person `u`, the day that begins when it is reached (a last day is over then), and the one on which the policy fires. */
const daysOf = ({ trigger, offset_days }: WithDays) => {
  const day = sql.ref(`u.${DAY_OF[trigger]}`);
  const reached = trigger === 'user.ends' ? sql`(${day} + 1)` : day;
  return { day, reached, fires: sql`(${reached} + ${offset_days ?? 0}::integer)` };
};

/** Whether the day of person `u` has come, on which a policy with days fires. `today` is the day in the organization's time zone. */
export const hasReachedDay = (policy: WithDays, today: string): RawBuilder<boolean> =>
  sql`coalesce(${daysOf(policy).fires} <= ${today}::date, false)`;

/**
 * Returns the people for whom the policy has not fired on this day of theirs: those whose day has come since `after`, and those of `changed`
 * whose day has come already. Each of them was given the day when it lay ahead, or the day on which the policy fires did (D85).
 */
export async function reachedDays(
  db: OrgDb,
  policy: WithDays & { id: string },
  {
    after,
    today,
    changed,
  }: { after: string; today: string; changed: readonly { user_id: string; on: string }[] },
): Promise<ReachedDay[]> {
  const { day, reached, fires } = daysOf(policy);
  const shift = sql`${(policy.trigger === 'user.ends' ? 1 : 0) + (policy.offset_days ?? 0)}::integer`;
  const isNew = sql`u.merged_into is null and not exists (
    select from policy_day f
    where f.org_id = ${db.orgId} and f.policy_id = ${policy.id} and f.user_id = u.id and f.day = ${day})`;
  const ids = changed.map(({ user_id }) => user_id);
  return many<ReachedDay>(db)`
    select u.id as user_id, to_char(${day}, 'YYYY-MM-DD') as day from platform_user u
    where u.org_id = ${db.orgId} and ${day} > ${after}::date - ${shift} and ${day} <= ${today}::date - ${shift}
      and not u.id = any(${ids}::uuid[]) and ${isNew}
    union all
    select u.id, to_char(${day}, 'YYYY-MM-DD')
    from unnest(${ids}::uuid[], ${changed.map(({ on }) => on)}::date[]) as given (user_id, given_on)
    join platform_user u on u.org_id = ${db.orgId} and u.id = given.user_id
    where ${fires} <= ${today}::date and greatest(${reached}, ${fires}) >= given.given_on and ${isNew}
    order by 1`;
}

/** Notes that a policy has fired for these people and days. */
export async function noteDays(tx: OrgTx, policyId: string, days: readonly ReachedDay[]): Promise<void> {
  if (days.length === 0) return;
  await run(tx)`
    insert into policy_day (org_id, policy_id, user_id, day)
    select ${tx.orgId}, ${policyId}, given.user_id, given.day
    from unnest(${days.map(({ user_id }) => user_id)}::uuid[], ${days.map(({ day }) => day)}::date[]) as given (user_id, day)
    on conflict do nothing`;
}
