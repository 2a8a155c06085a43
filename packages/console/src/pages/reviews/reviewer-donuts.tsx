import { plural, t } from '@lingui/core/macro';
import '@mantine/charts/styles.css';
import { DonutChart } from '@mantine/charts';
import { Picture } from '../../parts/picture.tsx';
import { grouped } from '../../parts/words.ts';
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
    >
      <div className={classes.donuts}>
        {rows.slice(0, SHOWN).map((row) => (
          <Donut key={row.reviewer?.external_uuid ?? ''} row={row} />
        ))}
        {more > 0 && <p>{plural(more, { one: 'and # more reviewer', other: 'and # more reviewers' })}</p>}
      </div>
    </Picture>
  );
}

function Donut({ row }: { row: Progress }) {
  const decided = grouped(row.decided);
  const items = grouped(row.items);
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
      <span>{t`${decided} of ${items} decided`}</span>
    </div>
  );
}
