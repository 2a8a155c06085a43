import { t } from '@lingui/core/macro';
import { Tooltip } from '@mantine/core';
import { IconHelpCircle } from '../kit/icons/icons.ts';
import * as column from '../kit/table/columns.tsx';
import type { Column } from '../kit/table/table-view.tsx';
import { type Bounds, boundsWords } from './bounds.ts';
import classes from './certainty.module.css';

interface Props {
  of: 'certain' | 'possible' | undefined;
  bounds?: Bounds | undefined;
}

const BETWEEN_SYNCS = t`No sync saw this at exactly this time. It may have begun later, or ended earlier.`;

/** Whether access certainly existed at a time, or only possibly. The tooltip shows the bounds. */
export function Certainty({ of, bounds }: Props) {
  if (of !== 'possible') return <span>{t`Certain`}</span>;
  const label = bounds === undefined ? BETWEEN_SYNCS : boundsWords(bounds);
  return (
    <Tooltip label={label} multiline w={280} openDelay={0} events={{ hover: true, focus: true, touch: true }}>
      <button type="button" className={classes.possible}>
        <IconHelpCircle size={16} stroke={1.8} aria-hidden />
        {t`Possible`}
      </button>
    </Tooltip>
  );
}

interface Dated {
  certainty?: 'certain' | 'possible' | undefined;
  bounds?: Bounds | undefined;
}

/** The column that lists about the past have in addition. */
export const certaintyColumn: Column<Dated> = column.cell(
  'certainty',
  t`Certainty`,
  { csv: ({ certainty }) => certainty },
  ({ certainty, bounds }) => <Certainty of={certainty} bounds={bounds} />,
);

/** The bounds, for exports. */
export const boundColumns: readonly Column<{ bounds?: Bounds | undefined }>[] = (
  ['not_before', 'seen_from', 'seen_until', 'gone_by'] as const
).map((id) => column.cell(id, id, { csv: ({ bounds }) => bounds?.[id] }, ({ bounds }) => bounds?.[id] ?? ''));
