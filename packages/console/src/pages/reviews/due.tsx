import { fromNow, localTime } from '../../kit/text/words.ts';

/** A due date in local time, with the time until then as its title. */
export function Due({ at, none = '–' }: { at: string | null; none?: string }) {
  if (at === null) return <span>{none}</span>;
  const moment = new Date(at);
  return (
    <time dateTime={moment.toISOString()} title={fromNow(moment)}>
      {localTime(moment)}
    </time>
  );
}
