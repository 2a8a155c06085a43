import { t } from '@lingui/core/macro';
import { type Scale, ticksOf } from '../kit/chart/timeline-scale.ts';
import { barOf, type Period, rowsOf } from './periods.ts';
import classes from './timeline-drawing.module.css';

const WIDTH = 1000;
const LABELS = 240;
const ROW = 24;
const BAR = 14;
const LONGEST = 34;
/** The space that the label of a tick needs. */
const LABEL = 64;

const shortOf = (name: string) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name);

interface Props {
  periods: readonly Period[];
  scale: Scale;
  nameOf: (period: Period) => string;
}

/** The timeline as one svg, for its export. */
export function TimelineDrawing({ periods, scale, nameOf }: Props) {
  const lines = rowsOf(periods).flatMap(({ app, rows }) => [
    { id: app.id, title: app.name, periods: [] },
    ...rows.map(({ id, periods: ofRow }) => ({ id, title: undefined, periods: ofRow })),
  ]);
  const height = (lines.length + 2) * ROW;
  const x = (share: number) => LABELS + (share / 100) * (WIDTH - LABELS);
  const legend = [
    { part: 'certain', label: t`Seen before and after` },
    { part: 'possible', label: t`Possible` },
  ];
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it is never shown. The frame exports it.
    <svg className={classes.drawing} width={WIDTH} height={height} viewBox={`0 0 ${WIDTH} ${height}`}>
      {legend.map(({ part, label }, index) => (
        <g key={part}>
          <rect className={classes[part]} x={index * 120} y={5} width={26} height={BAR} rx={3} />
          <text x={index * 120 + 32} y={16}>
            {label}
          </text>
        </g>
      ))}
      {ticksOf(scale).map(({ at, label }) => (
        <g key={at}>
          <path className={classes.line} d={`M${x(at)},${ROW + 6}V${height}`} />
          {x(at) < WIDTH - LABEL && (
            <text x={x(at) + 4} y={ROW + 16}>
              {label}
            </text>
          )}
        </g>
      ))}
      {lines.map(({ id, title, periods: [first, ...others] }, index) => {
        const top = (index + 2) * ROW;
        return (
          <g key={id}>
            <text className={title === undefined ? undefined : classes.app} x={0} y={top + 16}>
              {shortOf(title ?? (first === undefined ? '' : nameOf(first)))}
            </text>
            {first !== undefined &&
              [first, ...others].map((period) => (
                <Bar key={period.id} period={period} scale={scale} top={top + 5} x={x} />
              ))}
          </g>
        );
      })}
    </svg>
  );
}

interface BarProps {
  period: Period;
  scale: Scale;
  top: number;
  /** The place of a percentage of the scale. */
  x: (share: number) => number;
}

function Bar({ period, scale, top, x }: BarProps) {
  const bar = barOf(period, scale);
  if (bar === undefined) return null;
  const { left, width, certain } = bar;
  const at = (share: number) => x(left + (share / 100) * width);
  return (
    <>
      <rect
        className={classes.possible}
        x={x(left)}
        y={top}
        width={Math.max(3, x(left + width) - x(left))}
        height={BAR}
        rx={3}
      />
      {certain !== undefined && (
        <rect
          className={classes.certain}
          x={at(certain.left)}
          y={top}
          width={Math.max(3, at(certain.left + certain.width) - at(certain.left))}
          height={BAR}
          rx={3}
        />
      )}
    </>
  );
}
