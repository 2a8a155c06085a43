import { plural, t } from '@lingui/core/macro';
import { Button, Group, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type PointerEvent, useEffect, useState } from 'react';
import { type Answer, get } from '../../api/client.ts';
import { Axes } from '../../kit/chart/axes.tsx';
import { Picture } from '../../kit/chart/picture.tsx';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped, localTime } from '../../kit/text/words.ts';
import classes from './histogram.module.css';
import { type EventsSearch, queryOf } from './search.ts';

type Histogram = Answer<'/api/events/histogram/'>;
type Bucket = Histogram['buckets'][number];
/** The first and the last chosen interval. */
type Range = readonly [first: number, last: number];

interface Props {
  at: EventsSearch;
  filter: (change: Partial<EventsSearch>) => void;
}

const HEIGHT = 72;
const timeOf = ({ from }: Bucket) => localTime(new Date(from));

const columns: Column<Bucket>[] = [
  column.text('from', t`From`, timeOf, { csv: ({ from }) => from }),
  column.count('count', t`Events`),
];

/** How many events match the filters, by time. Drag over the bars, or move the two handles, to see a part of the time. */
export function EventHistogram({ at, filter }: Props) {
  const { data } = useQuery({
    ...get('/api/events/histogram/', { query: queryOf(at) }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  if (data === undefined) return <Skeleton height={HEIGHT + 96} mb="sm" />;
  if (data.buckets.length < 2) return null;
  const show = ([first, last]: Range) => {
    const [begin, end] = [data.buckets[first], data.buckets[last]];
    if (begin === undefined || end === undefined) return;
    // `to` includes its minute.
    const until = Date.parse(end.from) + (data.seconds - 60) * 1000;
    filter({ from: minuteOf(Date.parse(begin.from)), to: minuteOf(until) });
  };
  return (
    <section className={classes.histogram} aria-label={t`Events by time`}>
      <Picture
        label={t`Events by time`}
        summary={summaryOf(data)}
        columns={columns}
        rows={data.buckets}
        rowId={({ from }) => from}
        file="events-by-time"
      >
        <Axes name={t`Events`} most={grouped(Math.max(...data.buckets.map(({ count }) => count)))} wide>
          <Bars buckets={data.buckets} choose={show} />
        </Axes>
      </Picture>
      <Handles buckets={data.buckets} choose={show} />
      {(at.from ?? at.to) !== undefined && (
        <Group justify="flex-end" mt="xs">
          <Button variant="subtle" onClick={() => filter({ from: undefined, to: undefined })}>
            {t`Show all times`}
          </Button>
        </Group>
      )}
    </section>
  );
}

const minuteOf = (moment: number) => new Date(moment).toISOString().slice(0, 16);

function summaryOf({ buckets, more }: Histogram): string {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const highest = buckets.reduce((most, one) => (one.count > most.count ? one : most));
  const [begin, count, peak] = [
    timeOf(highest),
    plural(total, { one: '# event', other: '# events' }),
    grouped(highest.count),
  ];
  if (total === 0) return t`No events in this time.`;
  return more
    ? t`${count}. The busiest interval began ${begin}, with ${peak}. Older events are not counted.`
    : t`${count}. The busiest interval began ${begin}, with ${peak}.`;
}

interface BarsProps {
  buckets: readonly Bucket[];
  choose: (range: Range) => void;
}

/** The drawing. Dragging over it chooses intervals. */
function Bars({ buckets, choose }: BarsProps) {
  const [drag, setDrag] = useState<Range>();
  const highest = Math.max(1, ...buckets.map(({ count }) => count));
  const indexAt = ({ clientX, currentTarget }: PointerEvent<SVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * buckets.length);
    return Math.min(buckets.length - 1, Math.max(0, index));
  };
  const ordered = drag && ([Math.min(...drag), Math.max(...drag)] as const);
  return (
    <svg
      aria-hidden
      className={classes.drawing}
      viewBox={`0 0 ${buckets.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const index = indexAt(event);
        setDrag([index, index]);
      }}
      onPointerMove={(event) => drag && setDrag([drag[0], indexAt(event)])}
      onPointerUp={() => {
        if (ordered !== undefined) choose(ordered);
        setDrag(undefined);
      }}
      onPointerCancel={() => setDrag(undefined)}
    >
      {ordered !== undefined && (
        <rect
          className={classes.chosen}
          x={ordered[0]}
          y="0"
          width={ordered[1] - ordered[0] + 1}
          height={HEIGHT}
        />
      )}
      {buckets.map(({ from, count }, index) => {
        const height = count === 0 ? 0 : Math.max(1, (count / highest) * HEIGHT);
        return (
          <rect
            key={from}
            className={classes.bar}
            x={index + 0.08}
            y={HEIGHT - height}
            width="0.84"
            height={height}
          />
        );
      })}
    </svg>
  );
}

/** Two handles under the drawing, which do for the keyboard what dragging does. They take effect shortly after. */
function Handles({ buckets, choose }: BarsProps) {
  const last = buckets.length - 1;
  const [range, setRange] = useState<Range>([0, last]);
  // The handles stay when the intervals change, because one of them may have the focus.
  const intervals = `${buckets[0]?.from} ${buckets.length}`;
  const [shown, setShown] = useState(intervals);
  if (shown !== intervals) {
    setShown(intervals);
    setRange([0, last]);
  }
  const [from, to] = range;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a moved handle chooses.
  useEffect(() => {
    if (from === 0 && to === last) return;
    const timer = setTimeout(() => choose([from, to]), 600);
    return () => clearTimeout(timer);
  }, [from, to]);
  const words = (index: number) => {
    const bucket = buckets[index];
    return bucket === undefined ? '' : timeOf(bucket);
  };
  return (
    <div className={classes.handles}>
      <input
        type="range"
        aria-label={t`First interval`}
        aria-valuetext={words(from)}
        min={0}
        max={last}
        value={from}
        onChange={({ currentTarget }) => setRange([Math.min(Number(currentTarget.value), to), to])}
      />
      <input
        type="range"
        aria-label={t`Last interval`}
        aria-valuetext={words(to)}
        min={0}
        max={last}
        value={to}
        onChange={({ currentTarget }) => setRange([from, Math.max(Number(currentTarget.value), from)])}
      />
      <span>{words(from)}</span>
      <span>{words(to)}</span>
    </div>
  );
}
