import { plural, t } from '@lingui/core/macro';
import { AreaChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import type { Answer } from '../../api/client.ts';
import { Picture } from '../../kit/chart/picture.tsx';
import { momentsOf, type Scale } from '../../kit/chart/timeline-scale.ts';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped } from '../../kit/text/words.ts';
import { formatTag } from '../../language/language.ts';

const days = new Intl.DateTimeFormat(formatTag, { dateStyle: 'medium' });
const times = new Intl.DateTimeFormat(formatTag, { timeStyle: 'short' });
const DAY_MS = 86_400_000;

type Trend = Answer<'/api/apps/{app_id}/license-trend/'>;
interface Row {
  at: string;
  /** In milliseconds. */
  time: number;
  day: string;
  assigned: number;
  unused: number | null;
}

interface Props {
  /** The name of the app, or of one of its licenses. */
  name: string;
  trend: Trend;
}

/** How many licenses were assigned in the last 12 months, with the seats of today as a line. */
export function LicensePicture({ name, trend: { seats, results } }: Props) {
  const rows = rowsOf(seats, results);
  const scale = { from: rows[0]?.time ?? 0, to: rows.at(-1)?.time ?? 0 };
  const marks = marksOf(scale, rows);
  const steps = stepsTo(Math.max(seats ?? 0, ...rows.map(({ assigned }) => assigned)));
  const columns: Column<Row>[] = [
    column.text('at', t`Time`, ({ day }) => day, { csv: ({ at }) => at }),
    column.count('assigned', t`Assigned`),
    ...(seats === null ? [] : [unusedColumn]),
  ];
  return (
    <Picture
      label={t`Licenses of ${name} in the last 12 months`}
      summary={summaryOf(rows, seats)}
      columns={columns}
      rows={rows}
      rowId={({ at }) => at}
      file={t`licenses of ${name}`}
    >
      <AreaChart
        h={200}
        data={rows}
        dataKey="time"
        series={[{ name: 'assigned', label: t`Assigned`, color: 'var(--gh-bar)' }]}
        curveType="stepAfter"
        withDots={false}
        valueFormatter={grouped}
        xAxisProps={{
          type: 'number',
          scale: 'time',
          domain: [scale.from, scale.to],
          ticks: marks.map(({ time }) => time),
          interval: 'preserveStartEnd',
          tickFormatter: (time: number) => marks.find((mark) => mark.time === time)?.label ?? '',
        }}
        yAxisProps={{ domain: [0, steps.at(-1) ?? 1], ticks: steps, interval: 0 }}
        tooltipProps={{ labelFormatter: (_, [point]) => (point?.payload as Row | undefined)?.day }}
        referenceLines={seats === null ? [] : [{ y: seats, label: t`Seats today`, color: 'var(--gh-warn)' }]}
        areaProps={{ isAnimationActive: false }}
        areaChartProps={{ margin: { top: 10, right: 36 } }}
      />
    </Picture>
  );
}

const unusedColumn: Column<Row> = column.text(
  'unused',
  t`Unused seats, at today's limit`,
  ({ unused }) => (unused === null ? '' : grouped(unused)),
  { right: true, csv: ({ unused }) => unused },
);

/** Returns round times, or the first and the last time of less than two hours. */
function marksOf(scale: Scale, rows: readonly Row[]): { time: number; label: string }[] {
  const marks = momentsOf(scale, 6);
  if (marks.length > 1) return marks;
  return [rows[0], rows.at(-1)].flatMap((row) => (row ? [{ time: row.time, label: row.day }] : []));
}

/** Returns the marks of an axis from 0 past this number: at most 6, in even steps of 1, 2 or 5 times a power of 10. */
function stepsTo(most: number): number[] {
  const wanted = Math.max(1, (most * 1.1) / 5);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = ([1, 2, 5].find((digit) => digit * power >= wanted) ?? 10) * power;
  return Array.from({ length: Math.floor(most / step) + 2 }, (_, index) => index * step);
}

function rowsOf(seats: number | null, results: Trend['results']): Row[] {
  const [first, last] = [results[0], results.at(-1)];
  const span = first && last ? Date.parse(last.as_of) - Date.parse(first.as_of) : 0;
  return results.map(({ as_of: at, assigned }) => ({
    at,
    time: Date.parse(at),
    day: (span < DAY_MS ? times : days).format(new Date(at)),
    assigned,
    unused: seats === null ? null : Math.max(0, seats - assigned),
  }));
}

function summaryOf(rows: readonly Row[], seats: number | null): string {
  const assigned = rows.at(-1)?.assigned ?? 0;
  const before = grouped(rows[0]?.assigned ?? 0);
  const since = days.format(rows[0] === undefined ? undefined : new Date(rows[0].at));
  const now = grouped(assigned);
  const all = grouped(seats ?? 0);
  if (seats === null)
    return plural(assigned, {
      one: `# license is assigned to an account today. On ${since}, the number was ${before}.`,
      other: `# licenses are assigned to accounts today. On ${since}, the number was ${before}.`,
    });
  const unused = Math.max(0, seats - assigned);
  return plural(unused, {
    one: `${now} of ${all} seats are assigned to accounts today, and # is unused. On ${since}, ${before} were assigned.`,
    other: `${now} of ${all} seats are assigned to accounts today, and # are unused. On ${since}, ${before} were assigned.`,
  });
}
