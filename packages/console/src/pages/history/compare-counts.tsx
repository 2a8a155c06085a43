import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, get } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { ChangeWord } from '../../history/change-word.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { grouped } from '../../kit/text/words.ts';
import classes from './compare.module.css';
import { CHANGES, type CompareSearch, type Comparing } from './search.ts';

const COUNTS = '/api/history/compare/counts/';
type Group = Answer<typeof COUNTS>['groups'][number];

const TYPES = { account: t`Accounts`, group: t`Groups`, license: t`Licenses` } satisfies Record<
  Group['type'],
  string
>;

const columns: Column<Group>[] = [
  column.name('app', t`App`, ({ app }) => app.name),
  column.code('type', t`Type`, TYPES),
  column.count('added', t`Added`),
  column.count('removed', t`Removed`),
  column.count('changed', t`Changed`),
];

/** Longer tables are folded, so that the list of changes stays in sight. */
const MOST_OPEN = 6;

interface Props {
  at: Comparing;
  go: (change: CompareSearch) => void;
}

/** The number of all changes by kind, app and type. Pressing a kind filters the list. */
export function Counts({ at: { change: shown, ...query }, go }: Props) {
  const totals = useQuery(get(COUNTS, { query }));
  const { counts, groups = [] } = totals.data ?? {};
  return (
    <>
      <fieldset className={classes.counts} aria-label={t`Changes by kind`}>
        {CHANGES.map((change) => (
          <button
            key={change}
            type="button"
            aria-pressed={shown === change}
            onClick={() => go({ change: shown === change ? undefined : change })}
          >
            <strong>{counts === undefined ? '–' : grouped(counts[change])}</strong>
            <ChangeWord of={change} />
          </button>
        ))}
      </fieldset>
      {totals.isError && (
        <Text size="sm" mb="sm">
          {detailOf(totals.error)}
        </Text>
      )}
      {groups.length > 1 && (
        <details className={classes.groups} open={groups.length <= MOST_OPEN}>
          <summary>{t`Changes by app and type`}</summary>
          <TableView
            label={t`Changes by app and type`}
            columns={columns}
            rows={groups}
            rowId={({ app, type }) => `${app.id} ${type}`}
            empty={null}
          />
        </details>
      )}
    </>
  );
}
