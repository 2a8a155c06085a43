import { t } from '@lingui/core/macro';
import { Tooltip } from '@mantine/core';
import { createContext, useContext } from 'react';
import type { Coverage } from '../api/client.ts';
import { IconHelpCircle } from '../kit/icons/icons.ts';
import * as column from '../kit/table/columns.tsx';
import type { Column } from '../kit/table/table-view.tsx';
import { type Bounds, boundsWords, possibleWords, seenAround } from './bounds.ts';
import classes from './certainty.module.css';

/** The syncs around the time of a page, from which each row says when it was seen before and after. */
export const AroundTime = createContext<readonly Coverage[] | undefined>(undefined);

interface Props {
  of: 'certain' | 'possible' | undefined;
  bounds?: Bounds | undefined;
  /** The app of the access. Not needed on pages about one app. */
  app?: string | undefined;
}

const BETWEEN_SYNCS = t`No sync saw this at exactly this time. It may have begun later, or ended earlier.`;

/** Whether access was seen before and after a time, or is only possible. The tooltip shows the bounds. */
export function Certainty({ of, bounds, app }: Props) {
  const coverage = useContext(AroundTime);
  const around = coverage?.length === 1 ? coverage[0] : coverage?.find((one) => one.app.id === app);
  if (of !== 'possible') {
    const seen = bounds && seenAround(bounds, around);
    return <span>{seen ?? t`Seen before and after`}</span>;
  }
  const label = bounds === undefined ? BETWEEN_SYNCS : boundsWords(bounds);
  return (
    <Tooltip label={label} multiline w={280} openDelay={0} events={{ hover: true, focus: true, touch: true }}>
      <button type="button" className={classes.possible}>
        <IconHelpCircle size={16} stroke={1.8} aria-hidden />
        {bounds === undefined ? t`Possible` : possibleWords(bounds, around)}
      </button>
    </Tooltip>
  );
}

interface Dated {
  certainty?: 'certain' | 'possible' | undefined;
  bounds?: Bounds | undefined;
  app?: { external_uuid?: string | undefined } | undefined;
}

/** The column that lists about the past have in addition. */
export const certaintyColumn: Column<Dated> = column.cell(
  'certainty',
  t`Seen`,
  { csv: ({ certainty }) => certainty },
  ({ certainty, bounds, app }) => <Certainty of={certainty} bounds={bounds} app={app?.external_uuid} />,
);

/** The bounds, for exports. */
export const boundColumns: readonly Column<{ bounds?: Bounds | undefined }>[] = (
  ['not_before', 'seen_from', 'seen_until', 'gone_by'] as const
).map((id) => column.cell(id, id, { csv: ({ bounds }) => bounds?.[id] }, ({ bounds }) => bounds?.[id] ?? ''));
