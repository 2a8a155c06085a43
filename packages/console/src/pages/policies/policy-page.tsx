import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Button, Checkbox, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, get, load, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ifMatch } from '../../api/version.ts';
import { ConditionWords } from '../../conditions/condition-words.tsx';
import { type Action, ActionDialog } from '../../kit/action/action-dialog.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Failure } from '../../kit/controls/failure.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { useEdited } from '../../kit/form/edited.ts';
import { valuesIn } from '../../kit/form/field.ts';
import { grouped } from '../../kit/text/words.ts';
import { UndecidedPeople } from '../../people/undecided.tsx';
import { confirming, confirmWord } from './confirming.ts';
import { HeldContradiction } from './contradictions.tsx';
import { Editor } from './editor.tsx';
import { Enabled } from './enabled.tsx';
import classes from './policies.module.css';
import { delayPhrase, type Policy, triggerWords } from './policy.ts';
import { FIELDS } from './policy-fields.tsx';
import { Effects, PolicySentence } from './policy-sentence.tsx';
import { Preview } from './preview.tsx';
import { policySearch } from './search.ts';
import { toggling, useToggle } from './toggle.tsx';

const Above = () => <TextLink to="/policies">{t`Policies`}</TextLink>;
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
        <PageHeader title={t`Policy`} above={<Above />} />
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
  const toggle = useToggle(() => go({ dialog: 'toggle', page: at.page }));
  const edited = useEdited(policy);
  return (
    <>
      <PageHeader
        title={policy.name}
        isName
        above={<Above />}
        beside={<Enabled enabled={policy.enabled} />}
        about={
          last_fired_at === null ? (
            t`Never triggered`
          ) : (
            <Trans>
              Last triggered <Moment at={last_fired_at} />,{' '}
              <Plural value={{ count: last_fired_count ?? 0 }} one="# task" other="# tasks" /> created
            </Trans>
          )
        }
        actions={
          manages && (
            <>
              <Button variant={policy.enabled ? 'default' : 'filled'} onClick={() => toggle(policy)}>
                {policy.enabled ? t`Disable` : t`Enable`}
              </Button>
              <Button variant="default" onClick={() => go({ dialog: 'delete', page: at.page })}>
                {t`Delete`}
              </Button>
            </>
          )
        }
      />
      <PendingTasks policy={policy} ask={manages ? (dialog) => go({ dialog, page: at.page }) : undefined} />
      <UndecidedPeople of={policy.undecided} />
      <Section
        title={t`Preview`}
        actions={
          <Button variant="default" onClick={() => go({ preview: at.preview === true ? undefined : true })}>
            {at.preview === true ? t`Hide preview` : t`Show preview`}
          </Button>
        }
      >
        {at.preview === true ? <Preview policyId={id} /> : <PolicySentence of={policy} />}
      </Section>
      <Section title={t`Definition`}>
        {manages ? <Edit key={definitionKey(edited)} policy={edited} /> : <Definition policy={policy} />}
      </Section>
      {manages && (
        <Dialogs policy={policy} dialog={at.dialog} close={() => go({ dialog: undefined, page: at.page })} />
      )}
    </>
  );
}

/** Enabling or disabling a policy keeps unsaved edits. A saved definition resets the form. */
const definitionKey = (policy: Policy) => JSON.stringify(valuesIn(FIELDS, policy));

function Edit({ policy }: { policy: Policy }) {
  const path = { policy_id: policy.external_uuid };
  return (
    <Editor
      of={policy}
      read={() => load('/api/policies/{policy_id}/', { path })}
      policyId={policy.external_uuid}
      action={t`Save`}
      about={
        policy.enabled
          ? t`Saved changes take effect immediately. The preview shows the saved policy.`
          : t`The preview shows the saved policy.`
      }
      send={(body, version) =>
        ok(
          api.PATCH('/api/policies/{policy_id}/', {
            params: { path, header: ifMatch(version) },
            body,
          }),
        )
      }
      success={t`Policy saved`}
    />
  );
}

function Definition({ policy }: { policy: Policy }) {
  const { trigger, offset_days, condition, effects, delay, recheck } = policy;
  return (
    <Properties
      of={[
        [t`Trigger`, triggerWords({ trigger, offset_days })],
        [t`Condition`, <ConditionWords key="condition" value={condition} of="policy" />],
        [t`Effects`, <Effects key="effects" of={effects} />],
        [t`Timing`, delayPhrase(delay)],
        [t`Decide again before each task`, recheck ? t`Yes` : t`No`],
      ]}
    />
  );
}

interface PendingTasksProps {
  policy: Policy;
  ask: ((dialog: 'confirm' | 'discard') => void) | undefined;
}

/** The tasks of a held run: awaiting confirmation, or being created after it. */
function PendingTasks({ policy: { pending_confirmation: held }, ask }: PendingTasksProps) {
  if (held === null) return null;
  return (
    <Alert
      className={classes.held ?? ''}
      color="yellow"
      title={
        held.count === 0
          ? t`This policy is held`
          : held.status === 'held'
            ? plural(
                { count: held.count },
                { one: '# task awaiting confirmation', other: '# tasks awaiting confirmation' },
              )
            : t`Creating tasks: ${{ created: grouped(held.created) }} of ${{ total: grouped(held.count) }} created`
      }
    >
      {held.because !== null ? (
        <Because of={held.because} at={held.held_at} />
      ) : held.contradicts.length > 0 ? (
        <HeldContradiction of={held.contradicts} at={held.held_at} />
      ) : held.status === 'held' ? (
        <Trans>
          The policy has held these tasks since <Moment at={held.held_at} />. They exceed the task limit, or
          would give access to people behind the policy.
        </Trans>
      ) : (
        <Trans>
          The policy held these tasks <Moment at={held.held_at} />, and they were confirmed.
        </Trans>
      )}
      {held.status === 'held' && ask !== undefined && (
        <Group gap="xs" mt="xs">
          <Button onClick={() => ask('confirm')}>{confirmWord(held.count)}</Button>
          {held.because === null && held.contradicts.length === 0 && (
            <Button variant="default" onClick={() => ask('discard')}>
              {t`Discard tasks`}
            </Button>
          )}
        </Group>
      )}
    </Alert>
  );
}

interface BecauseProps {
  of: NonNullable<NonNullable<Policy['pending_confirmation']>['because']>;
  at: string;
}

/** Why a policy is held because of a group. */
function Because({ of: { from, to, is_named }, at }: BecauseProps) {
  const named =
    to === null
      ? t`The group “${from}”, which the condition names, was deleted.`
      : t`The group “${from}” was renamed to “${to}”, and the condition names it.`;
  const unnamed =
    to === null
      ? t`The group “${from}” was deleted, and the condition compares names of groups with something else, such as an attribute.`
      : t`The group “${from}” was renamed to “${to}”, and the condition compares names of groups with something else, such as an attribute.`;
  return (
    <>
      {is_named ? named : unnamed}{' '}
      <Trans>
        The policy was held <Moment at={at} />. It does nothing until somebody confirms the tasks, changes the
        condition or the trigger, or disables the policy.
      </Trans>
    </>
  );
}

type Dialog = ReturnType<typeof policySearch>['dialog'];

function Dialogs({ policy, dialog, close }: { policy: Policy; dialog: Dialog; close: () => void }) {
  const navigate = useNavigate();
  const [cancelsTasks, setCancelsTasks] = useState(false);
  const { name } = policy;
  const path = { policy_id: policy.external_uuid };
  const count = policy.pending_confirmation?.count ?? 0;
  const actions: Record<NonNullable<Dialog>, Action> = {
    toggle: toggling(policy),
    confirm: confirming(policy),
    discard: {
      title: plural(count, { one: 'Discard # task?', other: 'Discard # tasks?' }),
      sentence: t`None of these tasks are created. The policy continues to respond to new events.`,
      button: t`Discard tasks`,
      danger: true,
      request: () => ok(api.POST('/api/policies/{policy_id}/discard/', { params: { path } })),
      message: t`Tasks discarded`,
    },
    delete: {
      title: t`Delete ${name}?`,
      sentence: (
        <>
          {t`The policy stops running. Its existing tasks remain, unless you cancel them here. This cannot be undone.`}
          <Checkbox
            mt="sm"
            label={t`Cancel its open tasks`}
            checked={cancelsTasks}
            onChange={({ currentTarget }) => setCancelsTasks(currentTarget.checked)}
          />
        </>
      ),
      button: t`Delete policy`,
      type: name,
      request: () => {
        const params = { path, query: { cancel_tasks: cancelsTasks } };
        return ok(api.DELETE('/api/policies/{policy_id}/', { params }));
      },
      message: t`Policy deleted`,
      after: () => navigate({ to: '/policies' }),
    },
  };
  return <ActionDialog of={dialog && actions[dialog]} close={close} />;
}
