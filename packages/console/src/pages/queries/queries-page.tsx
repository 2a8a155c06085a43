import { plural, t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { personName } from '../../kit/text/words.ts';
import { type Query, type SavedQuery, writeQuery } from './query.ts';
import { queriesSearch } from './search.ts';
import { EVERY, SUBJECT_WORDS } from './words.ts';

const scheduleWords = ({ schedule, stopped }: SavedQuery): string => {
  if (stopped !== null) return t`Stopped`;
  return schedule === null ? '' : EVERY[schedule.every];
};

const columns: Column<SavedQuery>[] = [
  column.title('name', t`Name`),
  column.text('subject', t`Content`, ({ query }) => SUBJECT_WORDS[query.subject]),
  column.name('owner', t`Owner`, ({ owner }) => personName(owner)),
  column.text('shared', t`Shared`, ({ shared }) => (shared ? t`Yes` : t`No`)),
  column.text('schedule', t`Schedule`, scheduleWords),
  column.moment('next_run_at', t`Next run`, { none: '' }),
];

const is = (field: string, value: unknown, operator = 'is') => ({ field, operator, value });
const ACTIVE = is('account.status', ['ACTIVE']);

/** Queries to begin with. */
const EXAMPLES: readonly { name: string; query: Query }[] = [
  {
    name: t`Unused accounts of leavers in apps with high risk`,
    query: {
      subject: 'accounts',
      conditions: [
        ACTIVE,
        is('user.left', true),
        is('app.risk', ['high']),
        is('account.unused_days', 90, 'at_least'),
      ],
    },
  },
  {
    name: t`Privileged accounts without a second factor`,
    query: {
      subject: 'accounts',
      conditions: [ACTIVE, is('account.privileged', true), is('account.mfa_enabled', false)],
    },
  },
  {
    name: t`High-risk access without a decision`,
    query: {
      subject: 'access',
      conditions: [is('resource.risk', ['high']), { field: 'access.grants', operator: 'is_empty' }],
    },
  },
];

/** The saved queries of the person, and those that others share. */
export function QueriesPage() {
  const [at, go] = useAddress(queriesSearch);
  return (
    <ListPage
      title={t`Queries`}
      about={t`Lists of people, accounts and access that meet your conditions. Save, share and schedule them.`}
      buttons={
        <ButtonLink to="/queries/new" leftSection={<IconPlus size={15} aria-hidden />}>
          {t`New query`}
        </ButtonLink>
      }
      top={
        <Group gap="xs" mb="md" role="group" aria-label={t`Examples`}>
          {EXAMPLES.map(({ name, query }) => (
            <ButtonLink key={name} variant="default" to="/queries/new" search={{ query: writeQuery(query) }}>
              {name}
            </ButtonLink>
          ))}
        </Group>
      }
      address={[at, go]}
      counted={(n) => plural(n, { one: '# query', other: '# queries' })}
      list={list('/api/queries/')}
      columns={columns}
      href={({ external_uuid }) => `/queries/${external_uuid}`}
      empty={{
        title: t`No saved queries yet`,
        text: t`Begin with an example, or create a query and save it.`,
      }}
    />
  );
}
