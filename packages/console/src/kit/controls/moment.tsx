import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { fromNow, localDay, zonedTime } from '../text/words.ts';
import { Pending } from './pending.tsx';

interface Props {
  /** A timestamp of the API. Undefined while it loads; null shows `none`. */
  at: string | null | undefined;
  none?: string;
  /** Returns what to show when a time to come has passed. */
  past?: (moment: Date) => string;
}

/** A timestamp as relative time, with the local time and its zone as its title. Updates itself. */
export function Moment({ at, none = t`Never`, past }: Props) {
  const [, tick] = useState(0);
  const moment = at == null ? null : new Date(at);
  const fresh = moment !== null && Math.abs(Date.now() - moment.getTime()) < 3_600_000;
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), fresh ? 10_000 : 60_000);
    return () => clearInterval(timer);
  }, [fresh]);
  if (at === undefined) return <Pending />;
  if (moment === null) return <span>{none}</span>;
  return (
    <time dateTime={moment.toISOString()} title={zonedTime(moment)}>
      {past !== undefined && moment.getTime() <= Date.now() ? past(moment) : fromNow(moment)}
    </time>
  );
}

/** A timestamp as its day, with the relative time, for what people plan by. */
export function Day({ at, none = t`Never` }: Props) {
  if (at === undefined) return <Pending />;
  if (at === null) return <span>{none}</span>;
  const day = localDay(new Date(at));
  return (
    <span>
      <Trans>
        {day} (<Moment at={at} />)
      </Trans>
    </span>
  );
}
