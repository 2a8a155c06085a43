import { t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Progress } from '@mantine/core';
import { grouped } from '../../kit/text/words.ts';
import classes from './seats.module.css';

interface License {
  max_count: number | null;
  used_count: number | null;
  is_unlimited: boolean | null;
  members: number | null;
  /** Whether there are more members than were counted. */
  members_more?: boolean | null;
}

/**
 * Used and total seats, as the external system counts them. Falls back to our own count of members, and names both
 * numbers if they differ.
 */
export function Seats({ license }: { license: License }) {
  const { max_count: total, is_unlimited, members } = license;
  const used = license.used_count ?? members;
  if (used === null) return null;
  const inUse = grouped(used);
  const counted = license.members_more === true || members === used ? null : members;
  if (is_unlimited === true || total === null || total === 0) {
    return (
      <div className={classes.lines}>
        <span>
          {is_unlimited === true || total === 0 ? t`${inUse} in use (unlimited)` : t`${inUse} in use`}
        </span>
        <Counted members={counted} />
      </div>
    );
  }
  const share = (used / total) * 100;
  const full = used >= total;
  const seats = grouped(total);
  return (
    <div className={classes.seats}>
      <Progress value={Math.min(100, share)} color={full ? 'red' : 'blue'} aria-label={t`Seats in use`} />
      <span>{full ? t`${inUse} of ${seats}, none free` : t`${inUse} of ${seats}`}</span>
      <Counted members={counted} />
    </div>
  );
}

const Counted = ({ members }: { members: number | null }) =>
  members === null ? null : (
    <small>
      <Plural
        value={members}
        one="Reported by the app. # account has one."
        other="Reported by the app. # accounts have one."
      />
    </small>
  );
