import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { type Scale, type Tick, ticksOf } from '../kit/chart/timeline-scale.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { statusWord } from '../kit/controls/status.tsx';
import { Name } from '../kit/text/name.tsx';
import { boundsWords } from './bounds.ts';
import { accountLabel, barOf, type Period, periodName, periodType, type Row, rowsOf } from './periods.ts';
import classes from './timeline.module.css';

interface Props {
  periods: readonly Period[];
  scale: Scale;
  open: (period: Period) => void;
  nameOf: (period: Period) => string;
}

/** Periods of access as bars: solid where access was seen before and after, hatched where it is only possible. */
export function Timeline({ periods, scale, open, nameOf }: Props) {
  const ticks = ticksOf(scale);
  const apps = useMemo(() => rowsOf(periods), [periods]);
  return (
    <div className={classes.timeline}>
      <Legend />
      {apps.map(({ app, rows }) => (
        <section key={app.id} aria-label={app.name} className={classes.app}>
          <div className={classes.head}>
            <h3>
              <TextLink to="/apps/$appId" params={{ appId: app.id }}>
                <Name of={app.name} />
              </TextLink>
            </h3>
            <Axis ticks={ticks} />
          </div>
          <ul>
            {rows.map((row) => (
              <TimelineRow key={row.id} row={row} scale={scale} ticks={ticks} open={open} nameOf={nameOf} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Legend() {
  return (
    <ul className={classes.legend} aria-label={t`Legend`}>
      <li>
        <span className={classes.sample} data-part="certain" /> {t`Seen before and after`}
      </li>
      <li>
        <span className={classes.sample} data-part="possible" /> {t`Possible`}
      </li>
      <li>
        <span className={classes.sample} data-part="open" /> {t`Not ended`}
      </li>
    </ul>
  );
}

/** Screen readers get the times from the bars. */
function Axis({ ticks }: { ticks: readonly Tick[] }) {
  return (
    <div className={classes.axis} aria-hidden="true">
      {ticks.map(({ at, label }) => (
        <span key={at} style={{ left: `${at}%` }}>
          <Name of={label} />
        </span>
      ))}
    </div>
  );
}

interface RowProps {
  row: Row;
  scale: Scale;
  ticks: readonly Tick[];
  open: Props['open'];
  nameOf: Props['nameOf'];
}

function TimelineRow({ row: { periods }, scale, ticks, open, nameOf }: RowProps) {
  const [first] = periods;
  if (first === undefined) return null;
  const type = periodType(first);
  return (
    <li className={classes.row} data-type={first.type}>
      <div className={classes.label}>
        <span title={nameOf(first)}>{nameOf(first)}</span>
        {first.type === 'membership' && <small>{type}</small>}
      </div>
      <div className={classes.track}>
        {ticks.map(({ at }) => (
          <span key={at} className={classes.line} style={{ left: `${at}%` }} aria-hidden="true" />
        ))}
        {periods.map((period) => (
          <PeriodBar key={period.id} period={period} scale={scale} open={open} />
        ))}
      </div>
    </li>
  );
}

/** The share of the timeline, in 1/100 percent, that a status needs. */
const WIDE = 1000;

function PeriodBar({ period, scale, open }: { period: Period; scale: Scale; open: Props['open'] }) {
  const bar = barOf(period, scale);
  if (bar === undefined) return null;
  const status = period.type === 'account' && period.status !== null ? statusWord(period.status) : undefined;
  const isWide = (bar.certain?.width ?? 0) * bar.width > WIDE;
  return (
    <button
      type="button"
      className={classes.bar}
      // A short bar at the right edge stays visible.
      style={{ left: `min(${bar.left}%, 100% - 10px)`, width: `${bar.width}%` }}
      data-open={bar.isOpen || undefined}
      data-status={period.status ?? undefined}
      aria-label={labelOf(period, status)}
      onClick={() => open(period)}
    >
      {bar.certain !== undefined && (
        <span
          className={classes.certain}
          style={{ left: `${bar.certain.left}%`, width: `${bar.certain.width}%` }}
        >
          {isWide && status}
        </span>
      )}
    </button>
  );
}

/** "Sales team, group. Began: … Ended: …" */
function labelOf(period: Period, status: string | undefined): string {
  const [name, type, bounds] = [
    periodName(period),
    periodType(period).toLowerCase(),
    boundsWords(period.bounds),
  ];
  const account = accountLabel(period.account);
  if (period.resource !== null) return t`${name}, ${type}, of ${account}. ${bounds}`;
  const state = status?.toLowerCase();
  return state === undefined ? t`${name}, ${type}. ${bounds}` : t`${name}, ${type}, ${state}. ${bounds}`;
}
