import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Group, Select, Skeleton, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { csvAddress } from '../api/client.ts';
import { appColumn } from '../apps/app-column.tsx';
import { Picture } from '../kit/chart/picture.tsx';
import { Empty } from '../kit/controls/empty.tsx';
import { Failure } from '../kit/controls/failure.tsx';
import { Status } from '../kit/controls/status.tsx';
import * as column from '../kit/table/columns.tsx';
import { useCursorList } from '../kit/table/cursor-table.tsx';
import type { Column } from '../kit/table/table-view.tsx';
import { beginWords, endWords } from './bounds.ts';
import { beganBy, endedBy, PeriodDrawer } from './period-drawer.tsx';
import { periodList } from './period-list.ts';
import {
  accountLabel,
  type Period,
  type PeriodFilter,
  periodName,
  periodType,
  rowsOf,
  scaleOf,
} from './periods.ts';
import { Timeline } from './timeline.tsx';
import { TimelineDrawing } from './timeline-drawing.tsx';
import { RANGES, type Range } from './timeline-ranges.ts';

const DAY_MS = 86_400_000;
const RANGE_OPTIONS = [
  { value: '30', label: t`Last 30 days` },
  { value: '90', label: t`Last 90 days` },
  { value: '365', label: t`Last 12 months` },
];

/** The part of the page's state that is in its address. */
interface View {
  range?: Range | undefined;
  table?: boolean | undefined;
}

interface Props {
  filter: PeriodFilter;
  at: View;
  go: (change: View) => void;
  /** The name of a row. Default: that of the group, license or account. */
  nameOf?: (period: Period) => string;
}

const columns: Column<Period>[] = [
  column.cell('type', t`Type`, periodType),
  appColumn('app', t`App`, ({ app }) => app.name),
  column.email('account', t`Account`, ({ account }) => accountLabel(account)),
  column.cell('status', t`Status`, ({ status }) => status !== null && <Status of={status} />),
  column.cell('began', t`Began`, ({ bounds }) => beginWords(bounds)),
  column.name('began_by', t`Began by`, beganBy),
  column.cell('ended', t`Ended`, ({ bounds }) => endWords(bounds)),
  column.name('ended_by', t`Ended by`, endedBy),
];

/** Access over time: a timeline, with the same periods as a table behind it. */
export function AccessTimeline({ filter, at: { range, table = false }, go, nameOf = periodName }: Props) {
  const from = useMemo(
    () => (range === undefined ? undefined : Date.now() - Number(range) * DAY_MS),
    [range],
  );
  const [shown, show] = useState<Period>();
  const asked = from === undefined ? filter : { ...filter, from: new Date(from).toISOString() };
  const { rows: periods, error, again, hasMore, isLoadingMore, more } = useCursorList(periodList(asked));
  if (error !== null) return <Failure error={error} again={again} />;
  return (
    <>
      <Select
        aria-label={t`Time range`}
        placeholder={t`All time`}
        data={RANGE_OPTIONS}
        value={range ?? null}
        onChange={(value) => go({ range: RANGES.find((one) => one === value) })}
        clearable
        w={180}
      />
      {periods === undefined ? (
        <Skeleton height={160} mt="sm" />
      ) : periods.length === 0 ? (
        <Empty title={t`No access in this time`} />
      ) : (
        <Drawn
          periods={periods}
          from={from}
          open={show}
          nameOf={nameOf}
          csvHref={csvAddress('/api/history/access/', asked)}
          table={{ shown: table, show: (isTable) => go({ table: isTable || undefined }) }}
        />
      )}
      {hasMore && (
        <Group mt="sm" gap="sm">
          <Button variant="default" loading={isLoadingMore} onClick={more}>
            {t`Show more`}
          </Button>
          <Text size="sm" c="dimmed">
            <Trans>
              <Plural value={periods?.length ?? 0} one="# period" other="# periods" /> shown. There are more.
            </Trans>
          </Text>
        </Group>
      )}
      <PeriodDrawer period={shown} close={() => show(undefined)} />
    </>
  );
}

interface DrawnProps {
  periods: readonly Period[];
  from: number | undefined;
  open: (period: Period) => void;
  nameOf: (period: Period) => string;
  csvHref: string;
  table: { shown: boolean; show: (shown: boolean) => void };
}

function Drawn({ periods, from, open, nameOf, csvHref, table }: DrawnProps) {
  const scale = useMemo(() => scaleOf(periods, from), [periods, from]);
  const withButtons = useMemo(
    () => [
      column.cell('name', t`Access`, (period: Period) => (
        <Button variant="transparent" size="compact-sm" px={0} onClick={() => open(period)}>
          {nameOf(period)}
        </Button>
      )),
      ...columns,
    ],
    [open, nameOf],
  );
  const current = periods.filter(({ bounds }) => bounds.gone_by === null).length;
  const [count, appCount] = [periods.length, rowsOf(periods).length];
  const [all, apps] = [
    plural(count, { one: '# period of access', other: '# periods of access' }),
    plural(appCount, { one: '# app', other: '# apps' }),
  ];
  return (
    <Picture
      label={t`Access over time`}
      summary={t`${all} in ${apps}. Not ended: ${current}.`}
      columns={withButtons}
      rows={periods}
      rowId={({ id }) => id}
      file="access-timeline"
      interactive
      csvHref={csvHref}
      table={table}
      exported={<TimelineDrawing periods={periods} scale={scale} nameOf={nameOf} />}
    >
      <Timeline periods={periods} scale={scale} open={open} nameOf={nameOf} />
    </Picture>
  );
}
