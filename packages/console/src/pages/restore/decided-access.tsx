import { plural, t } from '@lingui/core/macro';
import { Checkbox, Stack, Text } from '@mantine/core';
import { decisionWords } from '../../access/decision-words.ts';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { localTime } from '../../kit/text/words.ts';
import { PersonName } from '../../people/person.tsx';
import { account, app, person, RestoredAccess } from './columns.tsx';
import { LongTable } from './long-table.tsx';
import type { Chosen, Decided } from './plan.ts';

interface Props {
  rows: Decided[];
  isShown: (column: { id: string }) => boolean;
  chosen: Chosen;
  choose: (chosen: Chosen) => void;
}

/** Lists access that decisions took away. It is left out, unless a decision or a single access is chosen. */
export function DecidedAccess({ rows, isShown, chosen, choose }: Props) {
  const columns: Column<Decided>[] = [
    column.cell('include', t`Include`, (row) => <Include row={row} chosen={chosen} choose={choose} />),
    account,
    person,
    app,
    column.cell('access', t`Access`, (row) =>
      row.resource === null ? accessName(row) : <RestoredAccess of={row.resource} appId={row.app.id} />,
    ),
    column.name('decision', t`Decision`, ({ lost_by }) => decisionWords(lost_by)),
    column.cell('decided_by', t`Decided by`, ({ lost_by: { kind, decided_by } }) => (
      <PersonName id={decided_by} none={kind === 'review' ? t`Nobody` : '–'} />
    )),
    column.cell('at', t`When`, ({ lost_by }) => localTime(new Date(lost_by.at))),
  ];
  return (
    <>
      <Text mt="md" mb="sm">
        {plural(rows.length, {
          one: 'A decision took # record away. It comes back only if you include it.',
          other: 'Decisions took # records away. They come back only if you include them.',
        })}
      </Text>
      <Decisions rows={rows} chosen={chosen} choose={choose} />
      <LongTable
        label={t`Taken away by decisions`}
        columns={columns.filter(isShown)}
        rows={rows}
        rowId={({ id }) => id}
      />
    </>
  );
}

/** One box for each decision that took several records away. */
function Decisions({ rows, chosen, choose }: Pick<Props, 'rows' | 'chosen' | 'choose'>) {
  const groups = [...Map.groupBy(rows.filter(canReturn), ({ lost_by }) => lost_by.external_uuid ?? '')];
  const several = groups.filter(([id, all]) => id !== '' && all.length > 1);
  if (several.length === 0) return null;
  return (
    <Stack gap="xs" mb="sm">
      {several.map(([id, all]) => {
        const decision = all[0] === undefined ? '' : decisionWords(all[0].lost_by);
        const count = plural(all.length, { one: '# record', other: '# records' });
        return (
          <Checkbox
            key={id}
            label={t`Include what ${decision} took away: ${count}`}
            checked={chosen.decisions.includes(id)}
            onChange={({ currentTarget: { checked } }) =>
              choose({
                ...chosen,
                decisions: [...chosen.decisions.filter((one) => one !== id), ...(checked ? [id] : [])],
              })
            }
          />
        );
      })}
    </Stack>
  );
}

function Include({ row, chosen, choose }: { row: Decided } & Pick<Props, 'chosen' | 'choose'>) {
  const name = accessName(row);
  if (!canReturn(row)) return t`Its time is over`;
  const item = {
    account: row.account.id,
    slug: row.resource?.slug ?? null,
    resource: row.resource?.id ?? null,
  };
  const others = chosen.items.filter((one) => JSON.stringify(one) !== JSON.stringify(item));
  const isNamed = others.length < chosen.items.length;
  return (
    <Checkbox
      aria-label={t`Include ${name}`}
      checked={isNamed || row.included}
      disabled={row.included && !isNamed}
      onChange={() => choose({ ...chosen, items: isNamed ? others : [...others, item] })}
    />
  );
}

/** Temporary access whose time is over does not come back. */
const canReturn = ({ ends_at }: Decided) => ends_at === null || Date.parse(ends_at) > Date.now();

function accessName({ action, resource }: Decided): string {
  if (resource !== null) return resource.name || resource.id;
  return action === 'unsuspend_account' ? t`Account (suspended)` : t`Account`;
}
