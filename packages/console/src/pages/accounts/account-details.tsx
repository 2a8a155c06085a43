import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { DetailColumn, EvidenceDetail } from '../../../../protocol/src/records.ts';
import type { Item } from '../../api/client.ts';
import { Moment } from '../../kit/controls/moment.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { localTime } from '../../kit/text/words.ts';

type Account = Item<'/api/accounts/'>;
type Values = Pick<Account, EvidenceDetail & DetailColumn>;

interface Shown<V> {
  label: string;
  /** The label of a column of a spreadsheet. */
  header: string;
  sort?: string;
  /** A value in words. */
  words: (value: V) => string;
  /** A value on a page. */
  cell: (value: V) => ReactNode;
}

/** The details of accounts that pages and reviews show as the app says. */
const SHOWN: { [C in keyof Values]-?: Shown<NonNullable<Values[C]>> } = {
  last_sign_in_at: {
    label: t`Last used`,
    header: t`Last sign-in`,
    sort: 'last_sign_in',
    words: (at) => localTime(new Date(at)),
    cell: (at) => <Moment at={at} />,
  },
  mfa_enabled: {
    label: t`Second factor`,
    header: t`Second factor (yes or no)`,
    words: (enabled) => (enabled ? t`Yes` : t`No`),
    cell: (enabled) => (enabled ? t`Yes` : t`No`),
  },
};

const details = Object.entries(SHOWN) as [keyof Values, Shown<unknown>][];

/** The columns of a list of accounts. */
export const detailColumns: Column<Account>[] = details.map(([id, { label, sort, cell }]) => ({
  id,
  header: label,
  wraps: true,
  ...(sort === undefined ? {} : { sort }),
  cell: ({ [id]: value }) => value != null && cell(value),
  csv: ({ [id]: value }) => String(value ?? ''),
}));

/** The details of an account, each with its label. */
export const detailRows = (
  account: Values,
  show: 'cell' | 'words' = 'cell',
): [label: string, value: ReactNode][] =>
  details.map(([id, shown]) => [
    shown.label,
    account[id] == null ? t`Not known` : <span key={id}>{shown[show](account[id])}</span>,
  ]);

/** The details that a column of a spreadsheet can hold. */
export const detailHeaders = details.map(([value, { header: label }]) => ({ value, label }));
