import { plural, t } from '@lingui/core/macro';
import '@mantine/charts/styles.css';
import { DonutChart } from '@mantine/charts';
import { Picture } from '../../kit/chart/picture.tsx';
import { grouped } from '../../kit/text/words.ts';
import { type Progress, progressColumns, reviewerName } from './progress.ts';
import classes from './reviewer-donuts.module.css';

/** More donuts than this say less than the table. */
const SHOWN = 12;
const COLORS = { decided: 'var(--gh-good)', open: 'var(--gh-bar)', overdue: 'var(--gh-bar-bad)' };

/** A donut for each reviewer: decided, open and overdue items. */
export function ReviewerDonuts({ rows }: { rows: readonly Progress[] }) {
  const sum = (of: (row: Progress) => number) => grouped(rows.reduce((total, row) => total + of(row), 0));
  const decided = sum((row) => row.decided);
  const open = sum((row) => row.open);
  const overdue = sum((row) => row.overdue);
  const more = rows.length - SHOWN;
  return (
    <Picture
      label={t`Progress per reviewer`}
      summary={t`Decided: ${decided}. Open: ${open}. Overdue: ${overdue}. An item with several reviewers counts for each of them.`}
      columns={progressColumns}
      rows={rows}
      rowId={({ reviewer }) => reviewer?.external_uuid ?? ''}
      file="reviewers"
      exported={<DonutsDrawing rows={rows.slice(0, SHOWN)} more={moreWords(more)} />}
    >
      <div className={classes.donuts}>
        {rows.slice(0, SHOWN).map((row) => (
          <Donut key={row.reviewer?.external_uuid ?? ''} row={row} />
        ))}
        {more > 0 && <p>{moreWords(more)}</p>}
      </div>
    </Picture>
  );
}

const moreWords = (more: number) =>
  more <= 0 ? '' : plural(more, { one: 'and # more reviewer', other: 'and # more reviewers' });

function decidedWords(row: Progress): string {
  const decided = grouped(row.decided);
  const items = grouped(row.items);
  return t`${decided} of ${items} decided`;
}

function Donut({ row }: { row: Progress }) {
  return (
    <div className={classes.donut}>
      <DonutChart
        size={88}
        thickness={12}
        withTooltip={false}
        data={[
          { name: t`Decided`, value: row.decided, color: COLORS.decided },
          { name: t`Open`, value: row.open, color: COLORS.open },
          { name: t`Overdue`, value: row.overdue, color: COLORS.overdue },
        ]}
      />
      <strong>{reviewerName(row)}</strong>
      <span>{decidedWords(row)}</span>
    </div>
  );
}

const COLUMNS = 4;
const CELL = { width: 180, height: 148 };
const RADIUS = 38;
const LINE = 24;

/** All donuts in one drawing, for the export. */
function DonutsDrawing({ rows, more }: { rows: readonly Progress[]; more: string }) {
  const width = COLUMNS * CELL.width;
  const bottom = Math.ceil(rows.length / COLUMNS) * CELL.height;
  const height = bottom + (more === '' ? 0 : LINE);
  return (
    <svg className={classes.drawing} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <title>{t`Progress per reviewer`}</title>
      {rows.map((row, index) => (
        <g
          key={row.reviewer?.external_uuid ?? ''}
          transform={`translate(${((index % COLUMNS) + 0.5) * CELL.width} ${Math.floor(index / COLUMNS) * CELL.height + 52})`}
        >
          {arcsOf(row).map(({ color, share, before }) => (
            <circle
              key={color}
              r={RADIUS}
              pathLength={1}
              stroke={color}
              strokeWidth={12}
              strokeDasharray={`${share} ${1 - share}`}
              transform={`rotate(${before * 360 - 90})`}
            />
          ))}
          <text y={66} fontWeight={600}>
            {reviewerName(row)}
          </text>
          <text y={84}>{decidedWords(row)}</text>
        </g>
      ))}
      <text x={width / 2} y={bottom + LINE / 2}>
        {more}
      </text>
    </svg>
  );
}

/** The parts of a donut that are not empty, each with the share of those before it. */
function arcsOf({ decided, open, overdue }: Progress) {
  const whole = Math.max(1, decided + open + overdue);
  let before = 0;
  return [
    { color: COLORS.decided, share: decided / whole },
    { color: COLORS.open, share: open / whole },
    { color: COLORS.overdue, share: overdue / whole },
  ].flatMap((arc) => {
    const from = before;
    before += arc.share;
    return arc.share > 0 ? [{ ...arc, before: from }] : [];
  });
}
