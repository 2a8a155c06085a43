import type { Period } from '../../history/periods.ts';

interface Removal {
  /** When a sync had seen the account gone. */
  to: string;
  /** Whether the account was suspended, and not deleted. */
  suspends: boolean;
}

/** Returns the periods of groups and licenses that ended with the account, or until `to`. Those that ended earlier did not go with it. */
export function wentAlong(periods: readonly Period[], { to, suspends }: Removal): Period[] {
  const goneBy = periods
    .filter(
      ({ type, status }) =>
        type === 'account' && status !== 'INACTIVE' && !(suspends && status === 'SUSPENDED'),
    )
    .findLast(({ bounds }) => isBy(bounds.gone_by, to))?.bounds.gone_by;
  if (goneBy == null) return [];
  return periods.filter(
    // The times are of the same form, with microseconds.
    ({ type, bounds: { gone_by } }) =>
      type === 'membership' && gone_by !== null && gone_by >= goneBy && isBy(gone_by, to),
  );
}

const isBy = (time: string | null, end: string) => time !== null && Date.parse(time) <= Date.parse(end);
