import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, api, ok, useChange } from '../../api/client.ts';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { grouped, personName } from '../../kit/text/words.ts';
import { labelOf } from '../../people/labels.ts';
import classes from './people.module.css';
import { attributeText, type Person } from './person.ts';
import { SuspendedAccounts } from './still-suspended.tsx';

interface Props {
  /** The person who remains. */
  into: string;
  /** The person who is deactivated. */
  from: string;
  close: () => void;
  /** Exchanges the two. */
  swap?: () => void;
  /** Marks the two as different people. */
  different?: { mark: () => void; busy: boolean };
}

const merge = (into: string, from: string, dryRun: boolean, endSuspensions = false) =>
  ok(
    api.POST('/api/users/{user_id}/merge/', {
      params: { path: { user_id: into }, query: { dry_run: dryRun } },
      body: { from, end_suspensions: endSuspensions },
    }),
  );
type Merge = Awaited<ReturnType<typeof merge>>;

/** Shows two people side by side with what a merge would move, and merges them. */
export function MergeDialog({ into, from, close, swap, different }: Props) {
  const plan = useQuery({
    queryKey: ['merge', into, from],
    queryFn: () => merge(into, from, true),
    gcTime: 0,
    retry: false,
  });
  const [ends, setEnds] = useState(false);
  const change = useChange(() => merge(into, from, false, ends), {
    showFailure: false,
    success: ({ from: merged, into: kept }) =>
      t`${{ merged: merged.email }} merged into ${{ kept: kept.email }}`,
    after: close,
  });
  return (
    <Dialog onClose={close} title={t`Merge people`} size="xl">
      <Stack gap="sm">
        <Text size="sm">
          <Trans>
            Everything that belongs to the second person moves to the first. The second person is deactivated
            for good and hidden from lists. Their API keys are revoked, and they can no longer sign in. This
            cannot be undone.
          </Trans>
        </Text>
        {plan.data !== undefined ? <Plan of={plan.data} /> : !plan.isError && <Skeleton height={220} />}
        {plan.data !== undefined && plan.data.suspensions.length > 0 && (
          <div>
            <Text size="sm" fw={600}>
              <Trans>Suspended because the second person had left:</Trans>
            </Text>
            <SuspendedAccounts of={plan.data.suspensions} label={t`Suspended accounts`} />
            <Checkbox
              mt="xs"
              label={t`End these suspensions`}
              checked={ends}
              onChange={({ currentTarget }) => setEnds(currentTarget.checked)}
            />
          </div>
        )}
        <FormFailure of={plan.error ?? change.error} />
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            {swap !== undefined && (
              <Button variant="default" onClick={swap}>
                <Trans>Keep the other person</Trans>
              </Button>
            )}
            {different !== undefined && (
              <Button variant="default" loading={different.busy} onClick={different.mark}>
                <Trans>Different people</Trans>
              </Button>
            )}
          </Group>
          <Group gap="xs">
            <Button variant="default" onClick={close}>
              <Trans>Go back</Trans>
            </Button>
            <Button
              color="red"
              loading={change.isPending}
              disabled={plan.data === undefined}
              onClick={() => change.mutate(undefined)}
            >
              <Trans>Merge people</Trans>
            </Button>
          </Group>
        </Group>
      </Stack>
    </Dialog>
  );
}

const FIELDS: readonly [string, (person: Answer<'/api/users/{user_id}/'>) => string | null][] = [
  [t`Name`, (person) => [person.first_name, person.last_name].filter(Boolean).join(' ')],
  [t`Email`, ({ email }) => email],
  [t`Username`, ({ username }) => username],
  [t`Role`, ({ role }) => labelOf(role)],
  [t`Start date`, ({ start_date }) => start_date],
  [t`End date`, ({ end_date }) => end_date],
];

function Plan({ of: { into, from, moved } }: { of: Merge }) {
  const names = [...new Set([into, from].flatMap(({ attributes }) => Object.keys(attributes)))].sort();
  const rows = [
    ...FIELDS.map(([name, read]) => [name, read(into), read(from)] as const),
    ...names.map((name) => [name, attribute(into, name), attribute(from, name)] as const),
  ].filter(([, one, other]) => one || other);
  const moves = Object.entries(moved).filter(([, count]) => count > 0);
  return (
    <>
      <div className={classes.comparison}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className={classes.hidden}>
                  <Trans>Field</Trans>
                </span>
              </th>
              <th scope="col">
                <Trans>Keep: {{ person: personName(into) }}</Trans>
              </th>
              <th scope="col">
                <Trans>Merge and deactivate: {{ person: personName(from) }}</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, one, other]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{one || t`None`}</td>
                <td>{other || t`None`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Text size="sm" fw={600}>
        <Trans>The merge moves or ends:</Trans>
      </Text>
      {moves.length === 0 ? (
        <Text size="sm">
          <Trans>Nothing moves. The second person is deactivated.</Trans>
        </Text>
      ) : (
        <ul className={classes.moves}>
          {moves.map(([kind, count]) => (
            <li key={kind}>{movedWords(kind, count)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The person after the merge already has what was missing. */
const attribute = ({ attributes }: Person, name: string) =>
  attributes[name] === undefined ? null : attributeText(attributes[name]);

const KINDS: Record<string, (n: number) => string> = {
  accounts: (n) => plural(n, { one: '# account moves', other: '# accounts move' }),
  owned_accounts: (n) =>
    plural(n, { one: '# service account gets another owner', other: '# service accounts get another owner' }),
  apps: (n) =>
    plural(n, { one: '# app gets another owner or approver', other: '# apps get another owner or approver' }),
  connection_requests: (n) =>
    plural(n, { one: '# connection request moves', other: '# connection requests move' }),
  requests: (n) => plural(n, { one: '# pending request moves', other: '# pending requests move' }),
  canceled_requests: (n) =>
    plural(n, {
      one: '# request is canceled, because both records are the same person',
      other: '# requests are canceled, because both records are the same person',
    }),
  review_items: (n) => plural(n, { one: '# review item moves', other: '# review items move' }),
  reports: (n) => plural(n, { one: '# report gets another manager', other: '# reports get another manager' }),
  tasks: (n) => plural(n, { one: '# open task moves', other: '# open tasks move' }),
  canceled_tasks: (n) => plural(n, { one: '# removal is canceled', other: '# removals are canceled' }),
  unsuspended_accounts: (n) =>
    plural(n, { one: '# account is unsuspended', other: '# accounts are unsuspended' }),
  held_tasks: (n) =>
    plural(n, {
      one: '# task waits for somebody else, because both records are the same person',
      other: '# tasks wait for somebody else, because both records are the same person',
    }),
  absences: (n) => plural(n, { one: '# absence moves', other: '# absences move' }),
  revoked_keys: (n) => plural(n, { one: '# API key is revoked', other: '# API keys are revoked' }),
};

const movedWords = (kind: string, count: number) =>
  KINDS[kind]?.(count) ?? `${grouped(count)} ${kind.replaceAll('_', ' ')}`;
