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
import { Effects, PolicySentence } from './effect-words.tsx';
import { Enabled } from './enabled.tsx';
import classes from './policies.module.css';
import { bodyOf, type Draft, delayWords, draftOf, type Policy, triggerWord } from './policy.ts';
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
            'It has not fired yet.'
          ) : (
            <>
              Last fired <Moment at={last_fired_at} />: {counted(last_fired_count ?? 0, 'task')}.
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
      <Held policy={policy} ask={manages ? (dialog) => go({ dialog, page: at.page }) : undefined} />
      <Section
        title="Preview"
        actions={
          <Button variant="default" onClick={() => go({ preview: at.preview === true ? undefined : true })}>
            {at.preview === true ? 'Hide the preview' : 'What would it do now?'}
          </Button>
        }
      >
        {at.preview === true ? (
          <Preview policyId={id} page={at.page} onPage={(page) => go({ page })} />
        ) : (
          <PolicySentence of={policy} />
        )}
      </Section>
      <Section title={manages ? 'Edit' : 'Definition'}>
        {manages ? <Edit key={meaning(policy)} policy={policy} /> : <Definition policy={policy} />}
      </Section>
      {manages && (
        <Dialogs policy={policy} dialog={at.dialog} close={() => go({ dialog: undefined, page: at.page })} />
      )}
    </>
  );
}

/** What is being edited stays while the policy is switched on or off; what has been saved is begun from anew. */
const meaning = (policy: Policy) => JSON.stringify(bodyOf(draftOf(policy)));

function Edit({ policy }: { policy: Policy }) {
  const change = useChange(
    (draft: Draft) =>
      ok(
        api.PATCH('/api/policies/{policy_id}/', {
          params: { path: { policy_id: policy.external_uuid } },
          body: bodyOf(draft),
        }),
      ),
    { said: 'Policy saved', tell: false },
  );
  return (
    <Editor
      from={draftOf(policy)}
      saved
      action="Save"
      about={
        policy.enabled
          ? 'It is enabled: what you save holds from now on. The preview is of what is saved.'
          : 'The preview is of what is saved.'
      }
      busy={change.isPending}
      error={change.error}
      save={change.mutate}
    />
  );
}

function Definition({ policy: { trigger, condition, effects, delay } }: { policy: Policy }) {
  return (
    <Properties
      of={[
        ['When', triggerWord(trigger)],
        ['If', <CodeBlock key="condition" text={condition} what="condition" />],
        ['What it does', <Effects key="effects" of={effects} />],
        ['Carried out', delayWords(delay)],
      ]}
    />
  );
}

interface HeldProps {
  policy: Policy;
  ask: ((dialog: 'confirm' | 'discard') => void) | undefined;
}

/** A firing that was too large to go ahead by itself. */
function Held({ policy: { pending_confirmation: held }, ask }: HeldProps) {
  if (held === null) return null;
  return (
    <Alert
      className={classes.held ?? ''}
      color="yellow"
      title={
        held.status === 'held'
          ? `A firing of ${counted(held.count, 'task')} waits for a confirmation`
          : `Being released: ${grouped(held.created)} of ${counted(held.count, 'task')} created`
      }
    >
      It would create more than one firing may, so it has created none. Held <Moment at={held.held_at} />.
      {held.status === 'held' && ask !== undefined && (
        <Group gap="xs" mt="xs">
          <Button onClick={() => ask('confirm')}>Confirm it</Button>
          <Button variant="default" onClick={() => ask('discard')}>
            Discard it
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
    said: 'Confirmed: its tasks are being created',
    tell: false,
  });
  const discard = useChange(() => ok(api.POST('/api/policies/{policy_id}/discard/', { params: { path } })), {
    said: 'Discarded',
    tell: false,
  });
  return (
    <>
      {dialog === 'toggle' && <Toggle policy={policy} close={close} />}
      <Confirm
        opened={dialog === 'confirm'}
        close={close}
        title={`Create ${counted(count, 'task')}?`}
        action="Confirm"
        type={String(count)}
        act={() => confirm.mutateAsync(undefined)}
      >
        They are created 500 people at a time, as those are by then: whoever does not fit any more is passed
        over.
      </Confirm>
      <Confirm
        opened={dialog === 'discard'}
        close={close}
        title="Discard this firing?"
        action="Discard"
        act={() => discard.mutateAsync(undefined)}
      >
        None of its {counted(count, 'task')} is created. The policy goes on with what happens from now on.
      </Confirm>
      <Delete policy={policy} opened={dialog === 'delete'} close={close} />
    </>
  );
}

function Delete({ policy, opened, close }: { policy: Policy; opened: boolean; close: () => void }) {
  const navigate = useNavigate();
  const [cancels, setCancels] = useState(false);
  const remove = useChange(
    () =>
      ok(
        api.DELETE('/api/policies/{policy_id}/', {
          params: { path: { policy_id: policy.external_uuid }, query: { cancel_tasks: cancels } },
        }),
      ),
    { said: 'Policy deleted', tell: false, after: () => navigate({ to: '/policies' }) },
  );
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Delete ${policy.name}?`}
      action="Delete"
      type={policy.name}
      act={() => remove.mutateAsync(undefined)}
    >
      It does nothing more, and cannot be brought back. The tasks that it has made stay, unless you say
      otherwise.
      <Checkbox
        mt="sm"
        label="Cancel those of its tasks that are still open"
        checked={cancels}
        onChange={({ currentTarget }) => setCancels(currentTarget.checked)}
      />
    </Confirm>
  );
}
