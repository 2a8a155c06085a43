import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import {
  Spotlight as Box,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { IconApps, IconSearch, IconUserShield, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { get } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { useBackCloses } from '../parts/dialog-history.ts';
import { personName } from '../parts/words.ts';
import { pagesOf } from './navigation.ts';

const FEW = 5;

/** ⌘K or Ctrl+K: filters pages by name, and searches apps, people and accounts on the server. */
export function Spotlight({ close }: { close: () => void }) {
  const [typed, setTyped] = useState('');
  const [words] = useDebouncedValue(typed.trim(), 200);
  const groups = useFound(typed.trim(), words);
  // Mantine's Spotlight can be opened only after it is mounted.
  useEffect(() => {
    Box.open();
    return () => Box.close();
  }, []);
  useBackCloses(true, close);
  return (
    <Box
      actions={groups}
      filter={(_, actions) => actions}
      query={typed}
      onQueryChange={setTyped}
      onSpotlightClose={close}
      shortcut={null}
      nothingFound="No results"
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: 'Search pages, people, accounts and apps',
        'aria-label': 'Search',
        onKeyDown: openFirst,
      }}
    />
  );
}

/** Opens the first result on Enter. Results arrive after the last key press, so none of them is selected yet. */
function openFirst({ key, currentTarget }: KeyboardEvent) {
  const dialog = currentTarget.closest('[role="dialog"]');
  if (key !== 'Enter' || dialog?.querySelector('[data-action][data-selected]') !== null) return;
  dialog.querySelector<HTMLElement>('[data-action]')?.click();
}

function useFound(typed: string, words: string): SpotlightActionGroupData[] {
  const { role, readsAll } = useMe();
  const navigate = useNavigate();
  const asked = words.length >= 2;
  const apps = useQuery({ ...get('/api/apps/', { query: { q: words, limit: FEW } }), enabled: asked });
  const people = useQuery({
    ...get('/api/users/', { query: { q: words, limit: FEW } }),
    enabled: asked && readsAll,
  });
  const accounts = useQuery({
    ...get('/api/accounts/', { query: { search: words, limit: FEW } }),
    enabled: asked && readsAll,
  });
  const group = (name: string, actions: SpotlightActionData[]) => ({ group: name, actions });
  const lower = typed.toLowerCase();
  return [
    group(
      'Pages',
      pagesOf(role)
        .filter(({ name }) => name.toLowerCase().includes(lower))
        .map(({ to, name, icon: Icon }) => ({
          id: to,
          label: name,
          leftSection: <Icon size={18} aria-hidden />,
          onClick: () => void navigate({ to }),
        })),
    ),
    group(
      'Apps',
      (asked ? (apps.data?.results ?? []) : []).map(({ external_uuid: appId, name }) => ({
        id: appId,
        label: name,
        leftSection: <IconApps size={18} aria-hidden />,
        onClick: () => void navigate({ to: '/apps/$appId', params: { appId } }),
      })),
    ),
    group(
      'People',
      (asked ? (people.data?.results ?? []) : []).map((person) => ({
        id: person.external_uuid,
        label: personName(person),
        description: person.email,
        leftSection: <IconUsers size={18} aria-hidden />,
        onClick: () => void navigate({ to: '/people/$userId', params: { userId: person.external_uuid } }),
      })),
    ),
    group(
      'Accounts',
      (asked ? (accounts.data?.results ?? []) : []).map(
        ({ external_uuid: accountId, email, username, app }) => ({
          id: accountId,
          label: email === '' ? username : email,
          description: app.name,
          leftSection: <IconUserShield size={18} aria-hidden />,
          onClick: () => void navigate({ to: '/accounts/$accountId', params: { accountId } }),
        }),
      ),
    ),
  ].filter(({ actions }) => actions.length > 0);
}
