import { Progress } from '@mantine/core';
import { grouped } from '../../parts/words.ts';
import classes from './seats.module.css';

interface License {
  max_count: number | null;
  used_count: number | null;
  is_unlimited: boolean | null;
  members: number | null;
}

/** Used and total seats, as the external system counts them. Falls back to our own count of members. */
export function Seats({ license }: { license: License }) {
  const { max_count: total, is_unlimited, members } = license;
  const used = license.used_count ?? members;
  if (used === null) return null;
  if (is_unlimited === true || total === null || total === 0) {
    return (
      <>
        {grouped(used)} in use{is_unlimited === true || total === 0 ? ' (unlimited)' : ''}
      </>
    );
  }
  const share = (used / total) * 100;
  const full = used >= total;
  return (
    <div className={classes.seats}>
      <Progress value={Math.min(100, share)} color={full ? 'red' : 'blue'} aria-label="Seats in use" />
      <span>
        {grouped(used)} of {grouped(total)}
        {full && ', none free'}
      </span>
    </div>
  );
}
