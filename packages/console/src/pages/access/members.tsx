import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { reasonWords } from '../../access/grant-words.ts';
import { Since } from '../../access/since.tsx';
import { Through } from '../../access/through.tsx';
import { Why } from '../../access/why.tsx';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import * as column from '../../kit/table/columns.tsx';
import { asked, filtersOf } from '../../kit/table/list-filters.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { personColumn } from '../../people/person-columns.tsx';
import type { CreatedTask } from '../../tasks/tasks-created.ts';
import { type Entitlement, entitlementName } from './entitlement.ts';
import { type Member, memberName } from './member.ts';
import { RemoveMembers } from './remove-members.tsx';
import { entitlementSearch } from './search.ts';

const columnsOf = (of: Entitlement): Column<Member>[] => [
  column.email('email', t`Account`, ({ email, username }) => email || username, {
    phone: 'title',
    csv: ({ email }) => email,
  }),
  column.text('display_name', t`Name`, { phone: 'detail' }),
  column.status('status', t`Status`),
  personColumn('user', t`Person`, ({ person }) => person),
  column.cell(
    'granted_at',
    t`Since`,
    { csv: ({ granted_at }) => granted_at },
    ({ granted_at, found, last_seen_at, via }) => (
      <>
        <Since of={{ granted_at, found }} />
        <Through appId={of.app.external_uuid} via={via} />
        {last_seen_at !== null && (
          <Text size="sm" c="dimmed">
            <Trans>
              Last seen <Moment at={last_seen_at} />
            </Trans>
          </Text>
        )}
      </>
    ),
  ),
  column.cell('why', t`Why`, { phone: 'detail', csv: reasonWords }, (member) => (
    <Why
      of={{
        ...member,
        account: member.external_uuid,
        appId: of.app.external_uuid,
        name: entitlementName(of),
        held: of,
        since: member.granted_at,
      }}
    />
  )),
  column.moment('last_sign_in_at', t`Last used`, { none: t`Not known` }),
];

/** The words for groups and for licenses. */
const NONE = {
  group: { none: t`No accounts have this group`, onlyHidden: t`All members of this group are hidden` },
  license: { none: t`No accounts have this license`, onlyHidden: t`All holders of this license are hidden` },
} as const;

const { either } = filtersOf(entitlementSearch);
const FILTERS = [
  either<'of_leavers' | 'not_used_for_days'>(t`Accounts`, [
    { label: t`Of people who have left`, at: { of_leavers: true } },
    { label: t`Not used for 90 days`, at: { not_used_for_days: 90 } },
    { label: t`Not used for a year`, at: { not_used_for_days: 365 } },
  ]),
];

/** The accounts that have a group or license, and why. Administrators remove several at the same time. */
export function Members({ of }: { of: Entitlement }) {
  const [at, go] = useAddress(entitlementSearch);
  const { manages } = useMe();
  // The state is kept here because the button disappears when the selection is cleared.
  const [job, setJob] = useState<Bulk<Member, CreatedTask>>();
  const name = entitlementName(of);
  const words = NONE[of.type];
  return (
    <>
      <ListTable
        address={[at, go]}
        filters={FILTERS}
        label={t`Accounts with ${name}`}
        counted={(n) => plural(n, { one: '# account', other: '# accounts' })}
        list={list('/api/apps/{app_id}/resources/{resource_id}/members/', {
          path: { app_id: of.app.external_uuid, resource_id: of.external_uuid },
          query: asked(at, FILTERS),
        })}
        columns={columnsOf(of)}
        rowName={memberName}
        href={({ external_uuid }) => `/accounts/${external_uuid}`}
        csv={t`accounts with ${name}`}
        actions={manages && ((selection) => <RemoveMembers from={of} of={selection} begin={setJob} />)}
        empty={{ title: (of.hidden_members ?? 0) > 0 ? words.onlyHidden : words.none }}
        unmatched={{
          title: t`No accounts match these filters`,
          text: t`Clear the filters to see all accounts.`,
        }}
      />
      <BulkJob job={job} close={() => setJob(undefined)} />
    </>
  );
}
