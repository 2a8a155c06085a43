import { Alert, Button, Checkbox, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, get, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { CodeBlock } from '../../parts/code.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Failure } from '../../parts/failure.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Properties } from '../../parts/properties.tsx';
import { Section } from '../../parts/section.tsx';
import { counted, grouped } from '../../parts/words.ts';
import { Editor } from './editor.tsx';
import { Enabled } from './enabled.tsx';
import classes from './policies.module.css';
import { bodyOf, delayPhrase, draftOf, type Policy, triggerLabel } from './policy.ts';
import { Effects, PolicySentence } from './policy-sentence.tsx';
import { Preview } from './preview.tsx';
import { policySearch } from './search.ts';
import { Toggle } from './toggle.tsx';

const Above = () => <TextLink to="/policies">Policies</TextLink>;
const RELEASING_MS = 2000;

export function PolicyPage() {
  const { policyId } = useParams({ from: '/in/policies/$policyId' });
  const policy = useQuery({
    ...get('/api/policies/{policy_id}/', { path: { policy_id: policyId } }),
    refetchInterval: ({ state }) =>
      state.data?.pending_confirmation?.status === 'releasing' ? RELEASING_MS : false,
  });
  if (policy.data === undefined) {
    return (
      <>
        <PageHeader title="Policy" above={<Above />} />
        {policy.isError && <Failure error={policy.error} again={() => void policy.refetch()} />}
      </>
    );
  }
  return <PolicyView policy={policy.data} />;
}

function PolicyView({ policy }: { policy: Policy }) {
  const [at, go] = useAddress(policySearch);
  const { manages } = useMe();
  const { external_uuid: id, last_fired_at, last_fired_count } = policy;
  return (
    <>
      <PageHeader
        title={policy.name}
        above={<Above />}
        beside={<Enabled enabled={policy.enabled} />}
        about={
          last_fired_at === null ? (
            'Never triggered'
          ) : (
            <>
              Last triggered <Moment at={last_fired_at} />, {counted(last_fired_count ?? 0, 'task')} created
            </>
          )
        }
        actions={
          manages && (
            <>
              <Button
                variant={policy.enabled ? 'default' : 'filled'}
                onClick={() => go({ dialog: 'toggle', page: at.page })}
              >
                {policy.enabled ? 'Disable' : 'Enable'}
              </Button>
              <Button variant="default" onClick={() => go({ dialog: 'delete', page: at.page })}>
                Delete
              </Button>
            </>
          )
        }
      />
      <PendingTasks policy={policy} ask={manages ? (dialog) => go({ dialog, page: at.page }) : undefined} />
      <Section
        title="Preview"
        actions={
          <Button variant="default" onClick={() => go({ preview: at.preview === true ? undefined : true })}>
            {at.preview === true ? 'Hide preview' : 'Show preview'}
          </Button>
        }
      >
        {at.preview === true ? (
          <Preview policyId={id} page={at.page} onPage={(page) => go({ page })} />
        ) : (
          <PolicySentence of={policy} />
        )}
      </Section>
      <Section title="Definition">
        {manages ? <Edit key={definitionKey(policy)} policy={policy} /> : <Definition policy={policy} />}
      </Section>
      {manages && (
        <Dialogs policy={policy} dialog={at.dialog} close={() => go({ dialog: undefined, page: at.page })} />
      )}
    </>
  );
}

/** Enabling or disabling a policy keeps unsaved edits. A saved definition resets the form. */
const definitionKey = (policy: Policy) => JSON.stringify(bodyOf(draftOf(policy)));

function Edit({ policy }: { policy: Policy }) {
  return (
    <Editor
      from={draftOf(policy)}
      saved
      action="Save"
      about={
        policy.enabled
          ? 'Saved changes take effect immediately. The preview shows the saved policy.'
          : 'The preview shows the saved policy.'
      }
      send={(draft) =>
        ok(
          api.PATCH('/api/policies/{policy_id}/', {
            params: { path: { policy_id: policy.external_uuid } },
            body: bodyOf(draft),
          }),
        )
      }
      success="Policy saved"
    />
  );
}

function Definition({ policy: { trigger, condition, effects, delay } }: { policy: Policy }) {
  return (
    <Properties
      of={[
        ['Trigger', triggerLabel(trigger)],
        ['Condition', <CodeBlock key="condition" text={condition} what="condition" />],
        ['Effects', <Effects key="effects" of={effects} />],
        ['Timing', delayPhrase(delay)],
      ]}
    />
  );
}

interface PendingTasksProps {
  policy: Policy;
  ask: ((dialog: 'confirm' | 'discard') => void) | undefined;
}

/** The tasks of a run that exceeded the task limit: awaiting confirmation, or being created after it. */
function PendingTasks({ policy: { pending_confirmation: held }, ask }: PendingTasksProps) {
  if (held === null) return null;
  return (
    <Alert
      className={classes.held ?? ''}
      color="yellow"
      title={
        held.status === 'held'
          ? `${counted(held.count, 'task')} awaiting confirmation`
          : `Creating tasks: ${grouped(held.created)} of ${grouped(held.count)} created`
      }
    >
      The policy exceeded the task limit <Moment at={held.held_at} />
      {held.status === 'held'
        ? ' and has created none of these tasks yet.'
        : ', and its tasks were confirmed.'}
      {held.status === 'held' && ask !== undefined && (
        <Group gap="xs" mt="xs">
          <Button onClick={() => ask('confirm')}>Confirm tasks</Button>
          <Button variant="default" onClick={() => ask('discard')}>
            Discard tasks
          </Button>
        </Group>
      )}
    </Alert>
  );
}

interface DialogsProps {
  policy: Policy;
  dialog: 'toggle' | 'delete' | 'confirm' | 'discard' | undefined;
  close: () => void;
}

function Dialogs({ policy, dialog, close }: DialogsProps) {
  const path = { policy_id: policy.external_uuid };
  const count = policy.pending_confirmation?.count ?? 0;
  const confirm = useChange(() => ok(api.POST('/api/policies/{policy_id}/confirm/', { params: { path } })), {
    success: 'Tasks confirmed',
    showFailure: false,
  });
  const discard = useChange(() => ok(api.POST('/api/policies/{policy_id}/discard/', { params: { path } })), {
    success: 'Tasks discarded',
    showFailure: false,
  });
  return (
    <>
      {dialog === 'toggle' && <Toggle policy={policy} close={close} />}
      <Confirm
        opened={dialog === 'confirm'}
        close={close}
        title={`Create ${counted(count, 'task')}?`}
        action="Confirm tasks"
        type={String(count)}
        act={() => confirm.mutateAsync(undefined)}
      >
        Gatehouse creates the tasks for 500 people at a time. It skips people who no longer match the
        condition.
      </Confirm>
      <Confirm
        opened={dialog === 'discard'}
        close={close}
        title={`Discard ${counted(count, 'task')}?`}
        action="Discard tasks"
        act={() => discard.mutateAsync(undefined)}
      >
        None of these tasks are created. The policy continues to respond to new events.
      </Confirm>
      <Delete policy={policy} opened={dialog === 'delete'} close={close} />
    </>
  );
}

function Delete({ policy, opened, close }: { policy: Policy; opened: boolean; close: () => void }) {
  const navigate = useNavigate();
  const [cancelsTasks, setCancelsTasks] = useState(false);
  const remove = useChange(
    () =>
      ok(
        api.DELETE('/api/policies/{policy_id}/', {
          params: { path: { policy_id: policy.external_uuid }, query: { cancel_tasks: cancelsTasks } },
        }),
      ),
    { success: 'Policy deleted', showFailure: false, after: () => navigate({ to: '/policies' }) },
  );
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Delete ${policy.name}?`}
      action="Delete policy"
      type={policy.name}
      act={() => remove.mutateAsync(undefined)}
    >
      The policy stops running. Its existing tasks remain, unless you cancel them here. This cannot be undone.
      <Checkbox
        mt="sm"
        label="Cancel its open tasks"
        checked={cancelsTasks}
        onChange={({ currentTarget }) => setCancelsTasks(currentTarget.checked)}
      />
    </Confirm>
  );
}
