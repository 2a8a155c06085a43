import '@mantine/core/styles/Switch.css';
import { Button, Switch, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { get, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterSelect, Filters } from '../../parts/filters.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { counted } from '../../parts/words.ts';
import { Enabled } from './enabled.tsx';
import { LimitDialog } from './limit-dialog.tsx';
import classes from './policies.module.css';
import { delayPhrase, type Policy, TRIGGER_OPTIONS, type Trigger, triggerLabel } from './policy.ts';
import { Effects } from './policy-sentence.tsx';
import { policiesSearch } from './search.ts';
import { Toggle } from './toggle.tsx';

const NewPolicy = () => (
  <ButtonLink to="/policies/new" leftSection={<IconPlus size={15} aria-hidden />}>
    Create policy
  </ButtonLink>
);

const ENABLED = [
  { value: 'true', label: 'Enabled' },
  { value: 'false', label: 'Disabled' },
];

export function PoliciesPage() {
  const [at, go] = useAddress(policiesSearch);
  const { manages } = useMe();
  const some = at.trigger !== undefined || at.enabled !== undefined;
  const columns = useMemo(
    () => columnsOf(manages ? (policy) => go({ toggle: policy, page: at.page }) : undefined),
    [manages, go, at.page],
  );
  return (
    <>
      <PageHeader
        title="Policies"
        about="Rules that grant and revoke access automatically when people join, change or leave."
        actions={manages && <NewPolicy />}
      />
      <Filters some={some} clear={() => go({ trigger: undefined, enabled: undefined })}>
        <FilterSelect
          label="Trigger"
          options={TRIGGER_OPTIONS}
          value={at.trigger}
          set={(trigger) => go({ trigger: trigger as Trigger | undefined })}
        />
        <FilterSelect
          label="Status"
          options={ENABLED}
          value={at.enabled === undefined ? undefined : String(at.enabled)}
          set={(enabled) => go({ enabled: enabled === undefined ? undefined : enabled === 'true' })}
        />
      </Filters>
      <DataTable<Policy>
        label="Policies"
        noun="policy"
        nouns="policies"
        list={list('/api/policies/', { query: { trigger: at.trigger, enabled: at.enabled } })}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        href={({ external_uuid }) => `/policies/${external_uuid}`}
        page={at.page}
        onPage={(page) => go({ page })}
        csv="policies"
        empty={
          some ? (
            <Empty title="No policies match these filters">Clear the filters to see all policies.</Empty>
          ) : (
            <Empty title="No policies yet" actions={manages && <NewPolicy />} />
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

const columnsOf = (toggle: ((policyId: string) => void) | undefined): Column<Policy>[] => [
  { id: 'name', header: 'Name', cell: ({ name }) => name, csv: ({ name }) => name },
  {
    id: 'trigger',
    header: 'Trigger',
    cell: ({ trigger }) => triggerLabel(trigger),
    csv: ({ trigger }) => trigger,
  },
  {
    id: 'condition',
    header: 'Condition',
    cell: ({ condition }) => (
      <span className={classes.condition} title={condition}>
        {condition}
      </span>
    ),
    csv: ({ condition }) => condition,
  },
  {
    id: 'effects',
    header: 'Effects',
    cell: ({ effects, delay }) => (
      <div>
        <Effects of={effects} />
        {delay !== null && `, ${delayPhrase(delay)}`}
      </div>
    ),
    csv: ({ effects }) => JSON.stringify(effects),
  },
  {
    id: 'last_fired_at',
    header: 'Last triggered',
    cell: ({ last_fired_at, last_fired_count, pending_confirmation }) => (
      <div>
        <Moment at={last_fired_at} />
        {last_fired_count !== null && `, ${counted(last_fired_count, 'task')}`}
        {pending_confirmation !== null && (
          <div>
            <Status
              of="held"
              word={`${pending_confirmation.status === 'held' ? 'Awaiting confirmation' : 'Creating tasks'}: ${counted(pending_confirmation.count, 'task')}`}
            />
          </div>
        )}
      </div>
    ),
    csv: ({ last_fired_at }) => last_fired_at,
  },
  {
    id: 'enabled',
    header: 'Status',
    cell: ({ enabled, name, external_uuid }) =>
      toggle === undefined ? (
        <Enabled enabled={enabled} />
      ) : (
        <Switch
          className={classes.switch ?? ''}
          checked={enabled}
          onChange={() => toggle(external_uuid)}
          label={enabled ? 'Enabled' : 'Disabled'}
          aria-label={`${name}: ${enabled ? 'enabled' : 'disabled'}`}
        />
      ),
    csv: ({ enabled }) => enabled,
  },
];

function ToggleOne({ policyId, close }: { policyId: string; close: () => void }) {
  const { data } = useQuery(get('/api/policies/{policy_id}/', { path: { policy_id: policyId } }));
  return data === undefined ? null : <Toggle policy={data} close={close} />;
}

function Limit({ change }: { change: (() => void) | undefined }) {
  const { data } = useQuery(get('/api/policies/settings/'));
  if (data === undefined) return null;
  return (
    <Text size="sm" c="dimmed" mt="md" component="div">
      A policy that would create more than {counted(data.task_limit, 'task')} at once waits for confirmation.{' '}
      {change !== undefined && (
        <Button variant="subtle" onClick={change}>
          Change limit
        </Button>
      )}
    </Text>
  );
}
