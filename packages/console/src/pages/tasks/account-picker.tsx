import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, type Item } from '../../api/client.ts';
import { statusWord } from '../../kit/controls/status.tsx';
import { AmongNames, Name } from '../../kit/text/name.tsx';

type Account = Item<'/api/accounts/'>;

interface Props {
  app: string;
  value: Account | undefined;
  set: (account: Account | undefined) => void;
  error?: string;
}

const labelOf = ({ email, username, display_name, external_id, external_uuid, status }: Account) => {
  const name = email || username || display_name || external_id || external_uuid;
  return status === 'ACTIVE' ? name : `${name} (${statusWord(status).toLowerCase()})`;
};

/** Selects an account of an app. The server searches by name and email. */
export function AccountPicker({ app, value, set, ...field }: Props) {
  const [typed, search] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const isLabel = value !== undefined && labelOf(value) === q;
  const found = useQuery(get('/api/accounts/', { query: { app, search: isLabel ? '' : q, limit: 30 } }));
  const accounts = new Map(
    [...(value === undefined ? [] : [value]), ...(found.data?.results ?? [])].map((account) => [
      account.external_uuid,
      account,
    ]),
  );
  const options = [...accounts].map(([id, account]) => ({ value: id, label: labelOf(account) }));
  return (
    <AmongNames of={options.map(({ label }) => label)}>
      <Select
        {...field}
        label={t`Account`}
        data={options}
        renderOption={({ option }) => <Name of={option.label} />}
        value={value?.external_uuid ?? null}
        onChange={(id) => set(id === null ? undefined : accounts.get(id))}
        onSearchChange={search}
        filter={({ options }) => options}
        placeholder={t`Search by name or email`}
        nothingFoundMessage={found.isFetching ? t`Searching…` : t`No matching account`}
        searchable
        required
      />
    </AmongNames>
  );
}
