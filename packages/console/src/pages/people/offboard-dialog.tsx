import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Group, Modal, NumberInput, Skeleton, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { check } from '../../kit/form/choice-fields.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { number } from '../../kit/form/number-field.tsx';
import { area, text } from '../../kit/form/text-fields.tsx';
import { Name } from '../../kit/text/name.tsx';
import { personName } from '../../kit/text/words.ts';
import { person } from '../../people/person-fields.tsx';
import { RemovalState } from '../../tasks/under-way.tsx';
import { ForEveryone } from './for-everyone.tsx';
import { KeysOfPerson } from './keys-of-person.tsx';
import { leaverAccountName } from './leaver-account.ts';
import classes from './offboard-dialog.module.css';
import type { Person } from './person.ts';

const DAYS = 30;
const MOST_DAYS = 3650;

const FIELDS = {
  suspend: check({ label: t`Suspend accounts now`, initial: true }),
  delete_after_days: number({
    label: t`Days until accounts are deleted`,
    description: t`0 deletes them now. Empty keeps them.`,
    initial: DAYS,
    min: 0,
    max: MOST_DAYS,
    w: 260,
    maw: '100%',
  }),
  accounts: person({ label: t`Service and shared accounts` }),
  apps: person({ label: t`Apps` }),
  reports: person({ label: t`Reports` }),
  decisions: person({ label: t`Approvals, review items and tasks` }),
  reason: area({ label: t`Reason`, required: true, maxLength: 2000, rows: 2, autosize: true }),
  reference: text({
    label: t`Reference`,
    description: t`A number in another system, such as your help desk.`,
    maxLength: 200,
  }),
};
const HEIRS = ['accounts', 'apps', 'reports', 'decisions'] as const;

interface Body {
  suspend?: boolean;
  delete_after_days?: number | null;
  accounts?: { account: string; suspend?: boolean; delete_after_days?: number | null }[];
  hand_over?: Partial<Record<(typeof HEIRS)[number], string | null>>;
  reason: string;
  reference?: string | null;
}

const offboard = (user_id: string, dry_run: boolean, body: Body) =>
  ok(
    api.POST('/api/users/{user_id}/offboard/', { params: { path: { user_id } }, body: { dry_run, ...body } }),
  );
type Offboarding = Awaited<ReturnType<typeof offboard>>;
type Account = Offboarding['accounts'][number];

interface Props {
  person: Person;
  opened: boolean;
  close: () => void;
}

/** Shows what a person has and does here, and ends all of it. */
export function OffboardDialog({ person: leaver, opened, close }: Props) {
  const name = personName(leaver);
  const user = leaver.external_uuid;
  const plan = useQuery({
    queryKey: ['offboard', user],
    queryFn: () => offboard(user, true, { reason: name }),
    enabled: opened,
    gcTime: 0,
    retry: false,
  });
  return (
    <Modal opened={opened} onClose={close} title={t`Offboard ${name}`} size="xl">
      {plan.data === undefined && !plan.isError ? (
        <Skeleton height={360} />
      ) : (
        <OffboardForm person={leaver} plan={plan.data} failure={plan.error} close={close} />
      )}
    </Modal>
  );
}

type Choice = Partial<Pick<NonNullable<Body['accounts']>[number], 'suspend' | 'delete_after_days'>>;

interface FormProps extends Omit<Props, 'opened'> {
  plan: Offboarding | undefined;
  failure: Error | null;
}

function OffboardForm({ person: leaver, plan, failure, close }: FormProps) {
  const [own, setOwn] = useState<Record<string, Choice>>({});
  const [name, user] = [personName(leaver), leaver.external_uuid];
  const manager = leaver.manager ?? undefined;
  const form = useFields(FIELDS, {
    of: { ...Object.fromEntries(HEIRS.map((heir) => [heir, manager])), reason: t`The person has left.` },
    from: (values) => ({ suspend: true, delete_after_days: DAYS, ...values }),
    send: ({ accounts, apps, reports, decisions, reference, ...body }) =>
      offboard(user, false, {
        ...body,
        reference: reference || null,
        accounts: Object.entries(own).map(([account, choice]) => ({ account, ...choice })),
        hand_over: { accounts, apps, reports, decisions },
      }),
    success: t`${name} offboarded`,
    after: close,
  });
  const { suspend, delete_after_days: days } = form.values;
  const heirs = HEIRS.filter((heir) => plan !== undefined && foundOf(plan)[heir] > 0);
  return (
    <DialogForm
      {...form}
      failure={form.failure ?? failure}
      close={close}
      action={t`Offboard`}
      disabled={plan === undefined}
      danger
    >
      <Text component="div" size="sm">
        <Trans>
          {{ name }} is deactivated and signed out, and their API keys are revoked. If you reactivate them,
          tasks whose time has not come are canceled.
        </Trans>
        <KeysOfPerson user={user} />
      </Text>
      {plan !== undefined && plan.accounts.length > 0 && (
        <>
          <Fields of={form} only={['suspend', 'delete_after_days']} />
          <ul className={classes.rows} aria-label={t`Accounts`}>
            {plan.accounts.map((account) => (
              <AccountRow
                key={account.external_uuid}
                of={account}
                choice={{ suspend, delete_after_days: daysOf(days), ...own[account.external_uuid] }}
                set={(choice) =>
                  setOwn({ ...own, [account.external_uuid]: { ...own[account.external_uuid], ...choice } })
                }
              />
            ))}
          </ul>
          <ForEveryone suspends={suspend} days={daysOf(days)} />
        </>
      )}
      {plan?.accounts.length === 0 && <Text size="sm">{t`This person has no accounts.`}</Text>}
      {plan !== undefined && heirs.length > 0 && (
        <Stack gap="sm" role="group" aria-label={t`Hand over to`}>
          <Text size="sm" fw={600}>
            <Trans>Hand over to</Trans>
          </Text>
          <Fields
            of={form}
            only={heirs}
            props={{
              accounts: { label: heirWords.accounts(foundOf(plan).accounts) },
              apps: { label: heirWords.apps(foundOf(plan).apps) },
              reports: { label: heirWords.reports(foundOf(plan).reports) },
              decisions: {
                label: heirWords.decisions(foundOf(plan).decisions),
                description: placesOf(plan).join(' · ') || undefined,
              },
            }}
          />
        </Stack>
      )}
      {plan !== undefined && plan.handed_over.entitlements.found > 0 && (
        <Text size="sm" c="dimmed">
          {plural(plan.handed_over.entitlements.found, {
            one: '# group or license names this person as its owner. Change that in its app.',
            other: '# groups and licenses name this person as their owner. Change that in their apps.',
          })}
        </Text>
      )}
      <Fields of={form} only={['reason', 'reference']} />
    </DialogForm>
  );
}

function foundOf({ handed_over: { accounts, apps, reports, ...decisions } }: Offboarding) {
  const { approvals, review_items, tasks, deputies, fulfillment, campaigns } = decisions;
  const sumOf = (all: { found: number }[]) => all.reduce((sum, { found }) => sum + found, 0);
  return {
    ...{ accounts: accounts.found, apps: apps.found, reports: reports.found },
    decisions: sumOf([approvals, review_items, tasks, deputies, fulfillment, campaigns]),
  };
}

const heirWords: Record<(typeof HEIRS)[number], (n: number) => string> = {
  accounts: (n) => plural(n, { one: '# service or shared account', other: '# service or shared accounts' }),
  apps: (n) =>
    plural(n, {
      one: '# app that they own or approve requests for',
      other: '# apps that they own or approve requests for',
    }),
  reports: (n) => plural(n, { one: '# report', other: '# reports' }),
  decisions: (n) =>
    plural(n, {
      one: '# open approval, review item, task or place in settings',
      other: '# open approvals, review items, tasks and places in settings',
    }),
};

/** Lists where settings name the person, for everything that is still to come. */
function placesOf({ handed_over: { deputies, fulfillment, campaigns } }: Offboarding): string[] {
  return [
    deputies.found > 0 &&
      plural(deputies.found, { one: 'Deputy in # absence', other: 'Deputy in # absences' }),
    fulfillment.found > 0 &&
      plural(fulfillment.found, { one: 'Fulfiller of # app', other: 'Fulfiller of # apps' }),
    campaigns.found > 0 &&
      plural(campaigns.found, { one: 'Reviewer in # campaign', other: 'Reviewer in # campaigns' }),
  ].filter((place) => place !== false);
}

const daysOf = (value: number | string): number | null => (value === '' ? null : Number(value));

interface RowProps {
  of: Account;
  choice: Choice;
  set: (choice: Choice) => void;
}

/** An account with what it holds, what is ordered for it already, and what to do with it. */
function AccountRow({ of: account, choice, set }: RowProps) {
  const name = leaverAccountName(account);
  const full = t`${name} in ${{ app: account.app.name }}`;
  const days = choice.delete_after_days ?? null;
  const input = (
    <NumberInput
      key="days"
      aria-label={t`Days until ${full} is deleted`}
      value={days ?? ''}
      onChange={(next) => set({ delete_after_days: daysOf(next) })}
      min={0}
      max={MOST_DAYS}
      allowDecimal={false}
      size="xs"
      w={72}
      display="inline-block"
    />
  );
  return (
    <li>
      <div>
        <Group gap="xs">
          <Text span size="sm" fw={600}>
            <Name of={account.app.name} />
          </Text>
          <Text span size="sm">
            <Name of={name} />
          </Text>
          <Status of={account.status} />
        </Group>
        <Text size="xs" c="dimmed">
          {heldWords(account)}
        </Text>
        {account.high_risk.length > 0 && (
          <Text size="xs" c="var(--gh-bad)">
            <Trans>High risk: {{ names: account.high_risk.join(', ') }}</Trans>
          </Text>
        )}
        {account.removals.map((removal) => (
          <Text key={removal.task} component="div" size="xs">
            <RemovalState of={removal} />
          </Text>
        ))}
      </div>
      <Group gap="md" wrap="nowrap">
        {account.suspend.outcome === 'ordered' && days !== 0 && (
          <Checkbox
            label={t`Suspend`}
            aria-label={t`Suspend ${full}`}
            checked={choice.suspend === true}
            onChange={({ currentTarget }) => set({ suspend: currentTarget.checked })}
          />
        )}
        {account.delete.outcome === 'ordered' && (
          <Text span size="sm">
            <Trans>Delete after {input} days</Trans>
          </Text>
        )}
      </Group>
    </li>
  );
}

function heldWords({ groups, licenses }: Account): string {
  const held = [
    groups > 0 ? plural(groups, { one: '# group', other: '# groups' }) : undefined,
    licenses > 0 ? plural(licenses, { one: '# license', other: '# licenses' }) : undefined,
  ].filter((part) => part !== undefined);
  return held.length === 0 ? t`No groups or licenses` : held.join(', ');
}
