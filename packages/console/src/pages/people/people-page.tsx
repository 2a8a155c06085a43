import { plural, t } from '@lingui/core/macro';
import { Button, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { statusWord } from '../../kit/controls/status.tsx';
import { TabList } from '../../kit/controls/tab-list.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import { IconPlus, IconUpload } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { asked, cleared, filtersOf } from '../../kit/table/list-filters.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { labelOf } from '../../people/labels.ts';
import { PersonLabel } from '../../people/person.tsx';
import { PersonFilter } from '../../people/person-filter.tsx';
import { Duplicates } from './duplicates.tsx';
import { ExportPeople } from './export-people.tsx';
import { Insights } from './insights.tsx';
import { Leavers } from './leavers.tsx';
import { selectOptions } from './person.ts';
import { NewPersonDialog } from './person-dialogs.tsx';
import { IDENTITY_TYPES, PEOPLE_TABS, peopleSearch, ROLES, SORTS, STATUSES } from './search.ts';
import { UnlinkedAccounts } from './unlinked-accounts.tsx';

type Person = Item<'/api/users/'>;

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

const SOURCE_LABELS = { scim: t`Identity provider`, gatehouse: t`Gatehouse` };

const sourceOf = (sources: Person['sources']) =>
  Object.values(sources ?? {}).includes('scim') ? 'scim' : 'gatehouse';

const columns: Column<Person>[] = [
  column.cell('name', t`Name`, { phone: 'title' }, (person) => <PersonLabel of={person} />),
  column.email('email', t`Email`, { phone: 'detail', sort: 'email' }),
  column.cell('title', t`Title`, ({ attributes }) => textOf(attributes.title)),
  column.cell('department', t`Department`, ({ attributes }) => textOf(attributes.department)),
  column.status('status', t`Status`, { phone: 'detail' }),
  column.code('role', t`Role`, labelOf),
  column.code('identity_type', t`Identity type`, labelOf),
  column.cell('source', t`Source`, ({ sources }) => SOURCE_LABELS[sourceOf(sources)]),
];

const { search, select, field } = filtersOf(peopleSearch);
const FILTERS = [
  search('q', t`Search by name or email`),
  select('status', t`Status`, STATUSES, statusWord),
  select('role', t`Role`, selectOptions(ROLES)),
  select('identity_type', t`Identity type`, selectOptions(IDENTITY_TYPES)),
  select('source', t`Source`, optionsOf(SOURCE_LABELS)),
  field('manager', ({ manager }, go) => (
    <PersonFilter label={t`Manager`} value={manager} set={(value) => go({ manager: value })} />
  )),
];

type Tab = (typeof PEOPLE_TABS)[number] | 'all';

const TABS: Record<Tab, { name: string; panel: () => ReactNode }> = {
  all: { name: t`All`, panel: AllPeople },
  duplicates: { name: t`Duplicates`, panel: Duplicates },
  unlinked: { name: t`Unlinked accounts`, panel: UnlinkedAccounts },
  leavers: { name: t`Leavers with access`, panel: Leavers },
  insights: { name: t`Insights`, panel: Insights },
};

export function PeoplePage() {
  const [at, go] = useAddress(peopleSearch);
  const { manages, readsAll } = useMe();
  const tab = readsAll ? (at.tab ?? 'all') : 'all';
  const { panel: Panel } = TABS[tab];
  return (
    <>
      <PageHeader
        title={t`People`}
        about={readsAll ? t`The people whose access Gatehouse governs.` : t`Your entry in Gatehouse.`}
        actions={
          tab === 'all' && (
            <>
              {readsAll && <ExportPeople list={listOf(at)} />}
              {manages && (
                <>
                  <ButtonLink
                    to="/people/upload"
                    variant="default"
                    leftSection={<IconUpload size={15} aria-hidden />}
                  >
                    {t`Import people`}
                  </ButtonLink>
                  <Button
                    leftSection={<IconPlus size={15} aria-hidden />}
                    onClick={() => go({ new: 'person' })}
                  >
                    {t`Add person`}
                  </Button>
                </>
              )}
            </>
          )
        }
      />
      {readsAll ? (
        <Tabs
          value={tab}
          onChange={(next) =>
            go({
              ...cleared(FILTERS),
              app: undefined,
              dismissed: undefined,
              month: undefined,
              tab: PEOPLE_TABS.find((id) => id === next),
            })
          }
        >
          <TabList current={tab} mb="md">
            {(Object.keys(TABS) as Tab[]).map((id) => (
              <Tabs.Tab key={id} value={id}>
                {TABS[id].name}
              </Tabs.Tab>
            ))}
          </TabList>
          <Tabs.Panel value={tab}>
            <Panel />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Panel />
      )}
    </>
  );
}

const listOf = (at: ReturnType<typeof peopleSearch>) =>
  list('/api/users/', { query: { ...asked(at, FILTERS), sort: at.sort } });

function AllPeople() {
  const [at, go] = useAddress(peopleSearch);
  const { manages } = useMe();
  const close = () => go({ new: undefined });
  return (
    <>
      <ListTable
        address={[at, go]}
        filters={FILTERS}
        label={t`People`}
        counted={(n) => plural(n, { one: '# person', other: '# people' })}
        list={listOf(at)}
        columns={columns}
        href={({ external_uuid }) => `/people/${external_uuid}`}
        sorts={SORTS}
        empty={{ title: t`No people yet`, text: t`Add a person, or import people from a spreadsheet.` }}
        unmatched={{ title: t`No people match these filters`, text: t`Clear the filters to see all people.` }}
      />
      {manages && <NewPersonDialog opened={at.new === 'person'} close={close} />}
    </>
  );
}
