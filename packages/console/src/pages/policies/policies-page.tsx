import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import '@mantine/core/styles/Switch.css';
import { Button, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { get, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ActionDialog } from '../../kit/action/action-dialog.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import { FilterSelect, Filters } from '../../kit/table/filters.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Enabled } from './enabled.tsx';
import { LimitDialog } from './limit-dialog.tsx';
import classes from './policies.module.css';
import { type Policy, TRIGGER_OPTIONS, type Trigger, triggerLabel } from './policy.ts';
import { DelayedEffects } from './policy-sentence.tsx';
import { policiesSearch } from './search.ts';
import { toggling, useToggle } from './toggle.tsx';

const NewPolicy = () => (
  <ButtonLink to="/policies/new" leftSection={<IconPlus size={15} aria-hidden />}>
    <Trans>Create policy</Trans>
  </ButtonLink>
);

const ENABLED = [
  { value: 'true', label: t`Enabled` },
  { value: 'false', label: t`Disabled` },
];

export function PoliciesPage() {
  const [at, go] = useAddress(policiesSearch);
  const { manages } = useMe();
  const some = at.trigger !== undefined || at.enabled !== undefined;
  const toggle = useToggle(
    useCallback(({ external_uuid }) => go({ toggle: external_uuid, page: at.page }), [go, at.page]),
  );
  const columns = useMemo(() => columnsOf(manages ? toggle : undefined), [manages, toggle]);
  return (
    <>
      <PageHeader
        title={t`Policies`}
        about={t`Rules that grant and revoke access automatically when people join, change or leave.`}
        actions={manages && <NewPolicy />}
      />
      <Filters some={some} clear={() => go({ trigger: undefined, enabled: undefined })}>
        <FilterSelect
          label={t`Trigger`}
          options={TRIGGER_OPTIONS}
          value={at.trigger}
          set={(trigger) => go({ trigger: trigger as Trigger | undefined })}
        />
        <FilterSelect
          label={t`Status`}
          options={ENABLED}
          value={at.enabled === undefined ? undefined : String(at.enabled)}
          set={(enabled) => go({ enabled: enabled === undefined ? undefined : enabled === 'true' })}
        />
      </Filters>
      <DataTable<Policy>
        label={t`Policies`}
        counted={(n) => plural(n, { one: '# policy', other: '# policies' })}
        list={list('/api/policies/', { query: { trigger: at.trigger, enabled: at.enabled } })}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        href={({ external_uuid }) => `/policies/${external_uuid}`}
        page={at.page}
        onPage={(page) => go({ page })}
        csv="policies"
        empty={
          some ? (
            <Empty title={t`No policies match these filters`}>
              <Trans>Clear the filters to see all policies.</Trans>
            </Empty>
          ) : (
            <Empty title={t`No policies yet`} actions={manages && <NewPolicy />} />
          )
        }
      />
      <Limit change={manages ? () => go({ dialog: 'limit', page: at.page }) : undefined} />
      {manages && at.toggle !== undefined && (
        <ToggleOne policyId={at.toggle} close={() => go({ toggle: undefined, page: at.page })} />
      )}
      {manages && at.dialog === 'limit' && (
        <LimitDialog close={() => go({ dialog: undefined, page: at.page })} />
      )}
    </>
  );
}

const pendingWord = ({ status, count }: NonNullable<Policy['pending_confirmation']>) =>
  count === 0
    ? t`Awaiting confirmation`
    : status === 'held'
      ? plural(count, { one: 'Awaiting confirmation: # task', other: 'Awaiting confirmation: # tasks' })
      : plural(count, { one: 'Creating tasks: # task', other: 'Creating tasks: # tasks' });

const columnsOf = (toggle: ((policy: Policy) => void) | undefined): Column<Policy>[] => [
  { id: 'name', header: t`Name`, phone: 'title', cell: ({ name }) => name, csv: ({ name }) => name },
  {
    id: 'trigger',
    header: t`Trigger`,
    phone: 'detail',
    cell: ({ trigger }) => triggerLabel(trigger),
    csv: ({ trigger }) => trigger,
  },
  {
    id: 'condition',
    header: t`Condition`,
    cell: ({ condition }) => (
      <span className={classes.condition} title={condition}>
        {condition}
      </span>
    ),
    csv: ({ condition }) => condition,
  },
  {
    id: 'effects',
    header: t`Effects`,
    cell: ({ effects, delay }) => (
      <div>
        <DelayedEffects effects={effects} delay={delay} />
      </div>
    ),
    csv: ({ effects }) => JSON.stringify(effects),
  },
  {
    id: 'last_fired_at',
    header: t`Last triggered`,
    phone: 'detail',
    cell: ({ last_fired_at, last_fired_count, pending_confirmation }) => (
      <div>
        {last_fired_count === null ? (
          <Moment at={last_fired_at} />
        ) : (
          <Trans>
            <Moment at={last_fired_at} />, <Plural value={last_fired_count} one="# task" other="# tasks" />
          </Trans>
        )}
        {pending_confirmation !== null && (
          <div>
            <Status of="held" word={pendingWord(pending_confirmation)} />
          </div>
        )}
      </div>
    ),
    csv: ({ last_fired_at }) => last_fired_at,
  },
  {
    id: 'enabled',
    header: t`Status`,
    cell: (policy) => {
      const { enabled, name } = policy;
      return toggle === undefined ? (
        <Enabled enabled={enabled} />
      ) : (
        <Switch
          className={classes.switch ?? ''}
          checked={enabled}
          onChange={() => toggle(policy)}
          label={enabled ? t`Enabled` : t`Disabled`}
          aria-label={enabled ? t`${name}: enabled` : t`${name}: disabled`}
        />
      );
    },
    csv: ({ enabled }) => enabled,
  },
];

function ToggleOne({ policyId, close }: { policyId: string; close: () => void }) {
  const { data } = useQuery(get('/api/policies/{policy_id}/', { path: { policy_id: policyId } }));
  return <ActionDialog of={data && toggling(data)} close={close} />;
}

function Limit({ change }: { change: (() => void) | undefined }) {
  const { data } = useQuery(get('/api/policies/settings/'));
  if (data === undefined) return null;
  return (
    <Text size="sm" c="dimmed" mt="md" component="div">
      <Trans>
        A policy that would create more than{' '}
        <Plural value={{ limit: data.task_limit }} one="# task" other="# tasks" /> in one run waits for
        confirmation.
      </Trans>{' '}
      {change !== undefined && (
        <Button variant="subtle" onClick={change}>
          <Trans>Change limit</Trans>
        </Button>
      )}
    </Text>
  );
}
