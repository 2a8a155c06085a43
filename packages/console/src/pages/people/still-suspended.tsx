import { t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ShownSuspension, SuspensionList } from '../../access/suspensions.tsx';
import { api, ok } from '../../api/client.ts';

interface SuspendedAccount extends ShownSuspension {
  account: string;
  email: string;
  app: { name: string };
}

/** Warns which accounts of a person stay suspended when the person is reactivated. */
export function StillSuspended({ user }: { user: string }) {
  const { data } = useQuery({
    queryKey: ['still-suspended', user],
    queryFn: () =>
      ok(
        api.POST('/api/users/{user_id}/reactivate/', {
          params: { path: { user_id: user }, query: { dry_run: true } },
          body: {},
        }),
      ),
    gcTime: 0,
    retry: false,
  });
  const accounts = data?.still_suspended ?? [];
  if (accounts.length === 0) return null;
  return (
    <Alert
      color="yellow"
      mt="sm"
      title={
        <Plural
          value={new Set(accounts.map(({ account }) => account)).size}
          one="# account stays suspended"
          other="# accounts stay suspended"
        />
      }
    >
      {t`A policy for people who return ends only suspensions that were decided because the person left. Unsuspend the others on the page of the account.`}
      <SuspendedAccounts of={accounts} label={t`Accounts that stay suspended`} />
    </Alert>
  );
}

/** The accounts, each with the decision that suspends it. */
export const SuspendedAccounts = ({ of, label }: { of: readonly SuspendedAccount[]; label: string }) => (
  <SuspensionList
    label={label}
    of={of.map(({ account, email, app, source, reason }, i) => ({
      id: `${account} ${i}`,
      account: t`${{ account: email }} in ${{ app: app.name }}`,
      suspension: { source, ...(reason !== undefined && { reason }) },
    }))}
  />
);
