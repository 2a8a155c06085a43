import { plural, t } from '@lingui/core/macro';
import { Button, Group, Select, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { api, type Item, list, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { appColumn } from '../../apps/app-column.tsx';
import { AppFilter } from '../../apps/app-picker.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { useUndoable } from '../../kit/controls/undoable.ts';
import * as column from '../../kit/table/columns.tsx';
import { asked, filtersOf } from '../../kit/table/list-filters.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { personName } from '../../kit/text/words.ts';
import { serverText } from '../../language/server-text.ts';
import { accountName } from '../accounts/account.ts';
import classes from './people.module.css';
import { peopleSearch } from './search.ts';

type Unlinked = Item<'/api/accounts/unlinked/'>;
type Suggestion = Unlinked['suggestions'][number];

const REASONS: Record<Suggestion['reason'], string> = {
  email: t`Same email`,
  username: t`Same username`,
  local_part: t`Same name before the @`,
  name: t`Similar name`,
};

const TOGETHER = 100;

/** Links accounts to the person chosen for each. Fails with the first account that cannot be linked. */
async function linkAll(links: { account: string; user: string }[]): Promise<void> {
  const { results } = await ok(api.POST('/api/accounts/link/', { body: { links } }));
  const failed = results.find(({ linked }) => !linked);
  if (failed === undefined) return;
  const { detail, ...sentence } = failed;
  throw new Error(
    detail == null ? t`The account was not linked.` : serverText({ ...sentence, text: detail }),
  );
}

/** Dismisses the suggestion that an account belongs to a person, or restores it. */
const dismissal =
  (change: 'dismiss-suggestion' | 'restore-suggestion') =>
  ({ account, user }: { account: string; user: string }) =>
    ok(
      api.POST(`/api/accounts/{account_id}/${change}/`, {
        params: { path: { account_id: account } },
        body: { user },
      }),
    );

const FILTERS = [
  filtersOf(peopleSearch).field('app', ({ app }, go) => (
    <AppFilter value={app} set={(next) => go({ app: next })} />
  )),
];

/** Accounts that belong to nobody, each with the people to whom it may belong. */
export function UnlinkedAccounts() {
  const [at, go] = useAddress(peopleSearch);
  const { manages } = useMe();
  const [job, setJob] = useState<Bulk<Unlinked>>();
  const [chosen, choose] = useState<Record<string, string>>({});
  const { mutate: dismiss } = useUndoable(dismissal('dismiss-suggestion'), {
    done: () => t`Suggestion dismissed`,
    undo: dismissal('restore-suggestion'),
  });
  const columns = useMemo<Column<Unlinked>[]>(() => {
    const suggestionOf = (account: Unlinked) => chosenOf(account, chosen);
    return [
      column.cell('account', t`Account`, { csv: accountName }, (account) => (
        <TextLink to="/accounts/$accountId" params={{ accountId: account.external_uuid }}>
          <Name of={accountName(account)} />
        </TextLink>
      )),
      column.email('email', t`Email`),
      appColumn('app', t`App`, ({ app }) => app.name),
      column.cell(
        'person',
        t`Suggested person`,
        { csv: (account) => suggestionOf(account)?.user.email },
        (account) => (
          <Suggested
            account={account}
            value={suggestionOf(account)}
            set={(user) => choose((before) => ({ ...before, [account.external_uuid]: user }))}
          />
        ),
      ),
      column.text('reason', t`Reason`, (account) => reasonWords(suggestionOf(account))),
      ...(manages
        ? [
            column.cell('dismiss', t`Action`, (account: Unlinked) => {
              const suggestion = suggestionOf(account);
              if (suggestion === undefined) return <SetOwner account={account} />;
              const user = suggestion.user.external_uuid;
              return (
                <Group gap={4} wrap="nowrap">
                  <Button
                    size="compact-xs"
                    onClick={() => setJob(jobFor([account], chosen))}
                    aria-label={t`Link ${{ account: accountName(account) }} to ${{ person: personName(suggestion.user) }}`}
                  >
                    {t`Link`}
                  </Button>
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => dismiss({ account: account.external_uuid, user })}
                    aria-label={t`Not this person: ${{ account: accountName(account) }} does not belong to ${{ person: personName(suggestion.user) }}`}
                  >
                    {t`Not this person`}
                  </Button>
                  <SetOwner account={account} />
                </Group>
              );
            }),
          ]
        : []),
    ];
  }, [chosen, manages, dismiss]);
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t`Link each account to its person, or set the owner of an account that a service or a team uses.`}
      </Text>
      <ListTable
        address={[at, go]}
        filters={FILTERS}
        label={t`Unlinked accounts`}
        counted={(n) => plural(n, { one: '# account', other: '# accounts' })}
        list={list('/api/accounts/unlinked/', { query: asked(at, FILTERS) })}
        columns={columns}
        rowName={(account) => t`${{ account: accountName(account) }} in ${{ app: account.app.name }}`}
        csv="unlinked-accounts"
        actions={
          manages &&
          ((selection) => (
            <Button
              onClick={() => {
                setJob(jobFor(selection.rows, chosen, selection.count));
                selection.clear();
              }}
            >
              {t`Link to suggested people`}
            </Button>
          ))
        }
        empty={{
          title: t`No unlinked accounts`,
          text: t`Every account belongs to a person or has an owner.`,
        }}
      />
      <BulkJob job={job} close={() => setJob(undefined)} />
    </>
  );
}

function SetOwner({ account }: { account: Unlinked }) {
  return (
    <TextLink
      to="/accounts/$accountId"
      params={{ accountId: account.external_uuid }}
      search={{ ask: 'owner' }}
      aria-label={t`Set owner of ${{ account: accountName(account) }}`}
    >
      {t`Set owner`}
    </TextLink>
  );
}

/** Links accounts that have a suggestion. Accounts without one stay as they are. */
function jobFor(
  accounts: Unlinked[] | (() => Promise<Unlinked[]>),
  chosen: Readonly<Record<string, string>>,
  count = 1,
): Bulk<Unlinked> {
  const linkOf = (account: Unlinked) => ({
    account: account.external_uuid,
    user: chosenOf(account, chosen)?.user.external_uuid ?? '',
  });
  return {
    title: plural(count, { one: 'Link # account', other: 'Link # accounts' }),
    rows: async () => {
      const rows = Array.isArray(accounts) ? [...accounts] : await accounts();
      return rows.filter((account) => chosenOf(account, chosen) !== undefined);
    },
    act: (account) => linkAll([linkOf(account)]),
    together: { size: TOGETHER, act: (rows) => linkAll(rows.map(linkOf)) },
    name: (account) => t`${{ account: accountName(account) }} in ${{ app: account.app.name }}`,
  };
}

const chosenOf = ({ external_uuid, suggestions }: Unlinked, chosen: Readonly<Record<string, string>>) =>
  suggestions.find(({ user }) => user.external_uuid === chosen[external_uuid]) ?? suggestions[0];

const reasonWords = (suggestion: Suggestion | undefined) =>
  suggestion === undefined
    ? ''
    : t`${{ reason: REASONS[suggestion.reason] }} (${{ score: suggestion.score }} of 100)`;

const label = ({ user }: Suggestion) =>
  user.status === 'deactivated' ? t`${{ person: personName(user) }} (deactivated)` : personName(user);

function Suggested({
  account,
  value,
  set,
}: {
  account: Unlinked;
  value: Suggestion | undefined;
  set: (user: string) => void;
}) {
  const { suggestions } = account;
  if (value === undefined) return <span className={classes.about}>{t`No match`}</span>;
  if (suggestions.length === 1) {
    return (
      <TextLink to="/people/$userId" params={{ userId: value.user.external_uuid }}>
        {label(value)}
      </TextLink>
    );
  }
  return (
    <Select
      aria-label={t`Person for ${{ account: accountName(account) }}`}
      size="xs"
      data={suggestions.map((one) => ({ value: one.user.external_uuid, label: label(one) }))}
      value={value.user.external_uuid}
      onChange={(user) => user !== null && set(user)}
      allowDeselect={false}
      w={220}
    />
  );
}
