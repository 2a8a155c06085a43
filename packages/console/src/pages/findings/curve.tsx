import { plural, t } from '@lingui/core/macro';
import { AreaChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import type { Answer } from '../../api/client.ts';
import { Picture } from '../../kit/chart/picture.tsx';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped } from '../../kit/text/words.ts';
import { formatTag } from '../../language/language.ts';

const dates = new Intl.DateTimeFormat(formatTag, { dateStyle: 'medium', timeZone: 'UTC' });

interface Row {
  day: string;
  date: string;
  count: number;
}

const columns: Column<Row>[] = [
  column.text('day', t`Day`, ({ date }) => date, { csv: ({ day }) => day }),
  column.count('count', t`Findings`),
];

/** The findings that were not resolved at the end of each day, accepted ones included. */
export function FindingsCurve({
  days,
  kind,
}: {
  days: Answer<'/api/findings/summary/'>['days'];
  kind: string | undefined;
}) {
  const rows = days.map(({ day, counts }) => ({
    day,
    date: dates.format(new Date(day)),
    count: kind === undefined ? Object.values(counts).reduce((sum, n) => sum + n, 0) : (counts[kind] ?? 0),
  }));
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <Picture
      label={t`Findings in the last 90 days`}
      summary={summaryOf(rows)}
      columns={columns}
      rows={rows}
      rowId={({ day }) => day}
      file="findings-by-day"
    >
      <AreaChart
        h={120}
        data={rows}
        dataKey="date"
        series={[{ name: 'count', label: t`Findings`, color: 'var(--gh-bar)' }]}
        curveType="stepAfter"
        withDots={false}
        valueFormatter={grouped}
        yAxisLabel={t`Findings`}
        xAxisProps={{ ticks: [rows[0]?.date ?? '', rows.at(-1)?.date ?? ''], interval: 'preserveStartEnd' }}
        yAxisProps={{ ticks: [0, most], domain: [0, most], interval: 0, width: 60 }}
        areaProps={{ isAnimationActive: false }}
        areaChartProps={{ margin: { top: 10, right: 36, left: 12 } }}
      />
    </Picture>
  );
}

function summaryOf(rows: readonly Row[]): string {
  const [first, last] = [rows[0], rows.at(-1)];
  const [before, since] = [grouped(first?.count ?? 0), first?.date ?? ''];
  const most = grouped(Math.max(0, ...rows.map(({ count }) => count)));
  return plural(last?.count ?? 0, {
    one: `# finding is not resolved today, accepted ones included. On ${since}, the number was ${before}. The highest number was ${most}.`,
    other: `# findings are not resolved today, accepted ones included. On ${since}, the number was ${before}. The highest number was ${most}.`,
  });
}
