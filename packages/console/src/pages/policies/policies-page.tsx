import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import '@mantine/core/styles/Switch.css';
import { Button, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { get, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { conditionWords } from '../../conditions/condition-words.tsx';
import { ActionDialog } from '../../kit/action/action-dialog.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { asked, filtersOf } from '../../kit/table/list-filters.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Enabled } from './enabled.tsx';
import { LimitDialog } from './limit-dialog.tsx';
import classes from './policies.module.css';
import { type Policy, TRIGGER_OPTIONS, triggerLabel } from './policy.ts';
import { DelayedEffects } from './policy-sentence.tsx';
import { policiesSearch } from './search.ts';
import { toggling, useToggle } from './toggle.tsx';

const NewPolicy = () => (
  <ButtonLink to="/policies/new" leftSection={<IconPlus size={15} aria-hidden />}>
    {t`Create policy`}
  </ButtonLink>
);

const ENABLED = [
  { value: 'true', label: t`Enabled` },
  { value: 'false', label: t`Disabled` },
];

const { select } = filtersOf(policiesSearch);
const FILTERS = [select('trigger', t`Trigger`, TRIGGER_OPTIONS), select('enabled', t`Status`, ENABLED)];

export function PoliciesPage() {
  const [at, go] = useAddress(policiesSearch);
  const { manages } = useMe();
  const toggle = useToggle(
    useCallback(({ external_uuid }) => go({ toggle: external_uuid, page: at.page }), [go, at.page]),
  );
  const columns = useMemo(() => columnsOf(manages ? toggle : undefined), [manages, toggle]);
  return (
    <ListPage
      title={t`Policies`}
      about={t`Rules that grant and revoke access automatically when people join, change or leave.`}
      buttons={manages && <NewPolicy />}
      address={[at, go]}
      filters={FILTERS}
      counted={(n) => plural(n, { one: '# policy', other: '# policies' })}
      list={list('/api/policies/', { query: asked(at, FILTERS) })}
      columns={columns}
      href={({ external_uuid }) => `/policies/${external_uuid}`}
      csv="policies"
      empty={{ title: t`No policies yet`, actions: manages && <NewPolicy /> }}
      unmatched={{
        title: t`No policies match these filters`,
        text: t`Clear the filters to see all policies.`,
      }}
    >
      <Limit change={manages ? () => go({ dialog: 'limit', page: at.page }) : undefined} />
      {manages && at.toggle !== undefined && (
        <ToggleOne policyId={at.toggle} close={() => go({ toggle: undefined, page: at.page })} />
      )}
      {manages && at.dialog === 'limit' && (
        <LimitDialog close={() => go({ dialog: undefined, page: at.page })} />
      )}
    </ListPage>
  );
}

const pendingWord = ({ status, count }: NonNullable<Policy['pending_confirmation']>) =>
  count === 0
    ? t`Awaiting confirmation`
    : status === 'held'
      ? plural(count, { one: 'Awaiting confirmation: # task', other: 'Awaiting confirmation: # tasks' })
      : plural(count, { one: 'Creating tasks: # task', other: 'Creating tasks: # tasks' });

const columnsOf = (toggle: ((policy: Policy) => void) | undefined): Column<Policy>[] => [
  column.text('name', t`Name`, { phone: 'title' }),
  column.code('trigger', t`Trigger`, triggerLabel, { phone: 'detail' }),
  column.cell('condition', t`Condition`, { csv: ({ condition }) => condition }, ({ condition }) => {
    const words = conditionWords(condition, 'policy');
    return (
      <span
        className={words === undefined ? `${classes.condition} ${classes.text}` : classes.condition}
        title={condition}
      >
        {words ?? condition}
      </span>
    );
  }),
  column.cell(
    'effects',
    t`Effects`,
    { csv: ({ effects }) => JSON.stringify(effects) },
    ({ effects, delay }) => (
      <div>
        <DelayedEffects effects={effects} delay={delay} />
      </div>
    ),
  ),
  column.cell(
    'last_fired_at',
    t`Last triggered`,
    { phone: 'detail', csv: ({ last_fired_at }) => last_fired_at },
    ({ last_fired_at, last_fired_count, pending_confirmation }) => (
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
  ),
  column.cell('enabled', t`Status`, { csv: ({ enabled }) => enabled }, (policy) => {
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
  }),
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
          {t`Change limit`}
        </Button>
      )}
    </Text>
  );
}
