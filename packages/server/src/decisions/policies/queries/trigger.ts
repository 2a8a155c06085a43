import { isOnLeave } from '#directory/people/leave-facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import type { PolicySpec } from '../policy.ts';
import { hasReachedDay } from './days.ts';

/**
 * Whether the trigger of a policy still holds for person `u` who fired it, beyond the status that its stage asks for: they may have got
 * another day, or be back. A confirmed run asks again.
 */
export function triggerHolds(
  org: Org,
  policy: Pick<PolicySpec, 'trigger' | 'offset_days'>,
  today: string,
): RawBuilder<boolean> {
  if (policy.offset_days !== null) return hasReachedDay(policy, today);
  if (policy.trigger === 'user.on_leave') return isOnLeave(org, 'u');
  if (policy.trigger === 'user.back') return sql`not ${isOnLeave(org, 'u')}`;
  return sql`true`;
}
