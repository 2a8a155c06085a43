import { plural, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { get, type Item } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { type Scale, shareOf, ticksOf } from '../kit/chart/timeline-scale.ts';
import { ownTimeZone } from '../kit/form/time-zones.ts';
import { listed } from '../kit/text/listed.ts';
import { Name } from '../kit/text/name.tsx';
import { localDay } from '../kit/text/words.ts';
import { askedFrom, type Day, dayAfter, dayFrom, dayOf, endOf, firstOf, startOf } from './days.ts';
import type { Past, Subject } from './past.ts';
import classes from './time-band.module.css';

type Marks = Item<'/api/history/marks/'>;

interface Props {
  of: Subject;
  at: Past;
  go: (change: Past) => void;
}

const NOON_MS = 43_200_000;
/** Percent of the width: a label after this stands on the left of its mark, and needs this much space there on a phone. */
const LATE = 82;
const SPACE = 32;
const MARKS_FRESH_MS = 60_000;

/** Reads the marks of the band. Members have only those of their own access. */
function useMarks(of: Subject, from: Day): ReadonlyMap<Day, Marks> {
  const { me, readsAll } = useMe();
  const { data } = useQuery({
    ...get('/api/history/marks/', {
      query: { ...of, from: startOf(from).toISOString(), time_zone: ownTimeZone() },
    }),
    staleTime: MARKS_FRESH_MS,
    enabled:
      readsAll ||
      (me !== undefined && of.app === undefined && (of.user === undefined || of.user === me.external_uuid)),
  });
  return new Map(data?.results.map((one) => [dayFrom(one.day), one]));
}

/** The days that a page can show, with marks where something happened. Dragging or keys move the day; with Shift, they compare. */
export function TimeBand({ of, at, go }: Props) {
  const { readsAll } = useMe();
  const today = dayOf(new Date());
  const shown = at.as_of === undefined ? today : dayOf(new Date(at.as_of));
  const [moving, move] = useState<{ day: Day; compares: boolean }>();
  const hint = useId();
  const thumb = useRef<HTMLDivElement>(null);
  const marks = useMarks(of, askedFrom(shown, today));
  const day = moving?.day ?? shown;
  const first = firstOf([...marks.keys()], shown, today);
  const scale: Scale = { from: startOf(first).getTime(), to: startOf(today + 1).getTime() };
  const left = (one: Day) => `${shareOf(scale, startOf(one).getTime() + NOON_MS)}%`;
  const anchor = at.versus === undefined ? undefined : dayOf(new Date(at.versus));

  const show = () => {
    move(undefined);
    if (moving === undefined || moving.day === shown) return;
    const as_of = endOf(moving.day, today);
    const versus = at.versus ?? at.as_of ?? new Date().toISOString();
    const compares = moving.compares && readsAll && dayOf(new Date(versus)) !== moving.day;
    const known_at = as_of !== undefined && (at.known_at ?? '') > as_of ? at.known_at : undefined;
    go({ as_of, known_at, versus: compares ? versus : undefined });
  };
  const press = (event: KeyboardEvent) => {
    const next = dayAfter(event.key, day, first, today);
    if (next === undefined) return;
    event.preventDefault();
    move({ day: next, compares: event.shiftKey });
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const { left: edge, width } = event.currentTarget.getBoundingClientRect();
    const time = scale.from + ((event.clientX - edge) / width) * (scale.to - scale.from);
    const next = Math.min(today, Math.max(first, dayOf(new Date(time))));
    move({ day: next, compares: event.shiftKey });
  };
  const words = dayWords(day, today, marks.get(day));
  return (
    <div className={classes.band}>
      {/* The slider in it has the keys. */}
      <div
        className={classes.track}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          thumb.current?.focus();
          drag(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
        }}
        onPointerUp={show}
        onPointerCancel={() => move(undefined)}
      >
        {anchor !== undefined && (
          <span
            className={classes.between}
            style={{
              left: left(Math.min(anchor, day)),
              right: `calc(100% - ${left(Math.max(anchor, day))})`,
            }}
          />
        )}
        {[...marks].map(([one, { syncs, began, ended, reviews }]) => (
          <span key={one} className={classes.day} style={{ left: left(one) }} aria-hidden>
            {syncs > 0 && <span className={classes.sync} />}
            {began > 0 && <span className={classes.began} />}
            {ended > 0 && <span className={classes.ended} />}
            {reviews > 0 && <span className={classes.review} />}
          </span>
        ))}
        <div
          ref={thumb}
          role="slider"
          tabIndex={0}
          aria-label={t`Day`}
          aria-valuemin={first}
          aria-valuemax={today}
          aria-valuenow={day}
          aria-valuetext={words}
          aria-describedby={hint}
          className={classes.thumb}
          style={{ left: left(day) }}
          onKeyDown={press}
          onKeyUp={(event) => {
            if (dayAfter(event.key, day, first, today) !== undefined) show();
          }}
          onBlur={show}
        />
      </div>
      <div className={classes.axis} aria-hidden>
        {ticksOf(scale, 6).map((tick, index, ticks) => (
          <span
            key={tick.at}
            style={{ left: `${tick.at}%` }}
            data-late={lateness(tick.at, ticks[index - 1]?.at)}
          >
            <Name of={tick.label} />
          </span>
        ))}
      </div>
      <Text size="xs" className={classes.caption}>
        <span aria-hidden>{words}</span>
        <span id={hint} className={classes.hint}>
          {readsAll
            ? t`Drag, or use the arrow keys. With Shift, two days are compared.`
            : t`Drag, or use the arrow keys.`}
        </span>
      </Text>
    </div>
  );
}

/** Whether a label stands on the left of its mark, because the band ends on the right, and whether the label before it is close. */
function lateness(at: number, before = 0): 'far' | 'close' | undefined {
  if (at <= LATE) return undefined;
  return at - before < SPACE ? 'close' : 'far';
}

/** "October 1, 2026: 1 sync and 2 added" */
function dayWords(day: Day, today: Day, marks: Marks | undefined): string {
  const named = localDay(startOf(day));
  const date = day === today ? t`Today, ${named}` : named;
  const { syncs = 0, began = 0, ended = 0, reviews = 0 } = marks ?? {};
  const happened = [
    syncs > 0 && plural(syncs, { one: '# sync', other: '# syncs' }),
    began > 0 && t`${began} added`,
    ended > 0 && t`${ended} removed`,
    reviews > 0 && plural(reviews, { one: '# review', other: '# reviews' }),
  ].filter((part) => part !== false);
  const all = listed(happened);
  return happened.length === 0 ? date : t`${date}: ${all}`;
}
