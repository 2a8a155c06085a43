import { Progress } from '@mantine/core';
import { grouped } from '../../parts/words.ts';
import classes from './seats.module.css';

interface License {
  max_count: number | null;
  used_count: number | null;
  is_unlimited: boolean | null;
  members: number | null;
}

/** Seats in use of those there are, as the external system counts them; our own count where it does not tell. */
export function Seats({ license }: { license: License }) {
  const { max_count: most, is_unlimited, members } = license;
  const used = license.used_count ?? members;
  if (used === null) return null;
  if (is_unlimited === true || most === null || most === 0) {
    return (
      <>
        {grouped(used)} in use{is_unlimited === true || most === 0 ? ', unlimited' : ''}
      </>
    );
  }
  const share = (used / most) * 100;
  const full = used >= most;
  return (
    <div className={classes.seats}>
      <Progress value={Math.min(100, share)} color={full ? 'red' : 'blue'} aria-label="Seats in use" />
      <span>
        {grouped(used)} of {grouped(most)}
        {full && ', none free'}
      </span>
    </div>
  );
}
