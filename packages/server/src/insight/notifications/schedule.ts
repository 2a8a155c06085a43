import { type KindName, kindOf } from '#log/notices/kinds.ts';
import { settingOf } from './preferences.ts';
import type { Choices } from './schemas.ts';

/** When an email goes out: now, after the quiet hours, or with the next daily digest. Null: never. */
export function dueAt(preferences: Choices, kind: KindName, now: Date): Date | null {
  const setting = settingOf(preferences, kind);
  if (setting === 'off') return null;
  if (kindOf(kind).security === true) return now;
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(
    preferences.time_zone ?? 'UTC',
  );
  if (setting === 'daily') return toDate(nextTime(local, { hour: preferences.digest_hour, minute: 0 }));
  return endOfQuiet(preferences, local) ?? now;
}

type Clock = { hour: number; minute: number };

const clockOf = (text: string): Clock => {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return { hour, minute };
};
const toDate = ({ epochMilliseconds }: Temporal.ZonedDateTime) => new Date(epochMilliseconds);

/** Returns the next moment after `local` with this local time. A time that a change of the clocks skips is later. */
function nextTime(local: Temporal.ZonedDateTime, { hour, minute }: Clock): Temporal.ZonedDateTime {
  const today = local.with({ hour, minute, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 });
  return Temporal.ZonedDateTime.compare(today, local) > 0 ? today : today.add({ days: 1 });
}

/** Returns the end of the quiet hours in which `local` is. They may contain midnight. */
function endOfQuiet({ quiet_from, quiet_to }: Choices, local: Temporal.ZonedDateTime): Date | undefined {
  if (quiet_from === null || quiet_to === null) return undefined;
  const minutes = ({ hour, minute }: Clock) => hour * 60 + minute;
  const [from, to, now] = [minutes(clockOf(quiet_from)), minutes(clockOf(quiet_to)), minutes(local)];
  const isQuiet = from < to ? now >= from && now < to : now >= from || now < to;
  return isQuiet ? toDate(nextTime(local, clockOf(quiet_to))) : undefined;
}
