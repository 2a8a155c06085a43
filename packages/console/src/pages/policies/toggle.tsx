import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, ok } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import type { Action } from '../../kit/action/action-dialog.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { useUndoable } from '../../kit/controls/undoable.ts';
import type { Policy } from './policy.ts';
import { PolicySentence } from './policy-sentence.tsx';
import { previewQuery } from './preview.tsx';

const enable = ({ external_uuid: id }: Policy, enabled: boolean) =>
  ok(api.PATCH('/api/policies/{policy_id}/', { params: { path: { policy_id: id } }, body: { enabled } }));

/** Disables a policy immediately, unless that discards tasks or the policy is to be enabled: then a dialog asks. */
export function useToggle(ask: (policy: Policy) => void) {
  const { mutate } = useUndoable((policy: Policy) => enable(policy, false), {
    done: () => t`Policy disabled. Its existing tasks remain.`,
    undo: (policy) => enable(policy, true),
  });
  return useCallback(
    (policy: Policy) =>
      policy.enabled && policy.pending_confirmation === null ? mutate(policy) : ask(policy),
    [mutate, ask],
  );
}

/** Asks before a policy is enabled, with a preview of its tasks, or before its waiting tasks are discarded. */
export function toggling(policy: Policy): Action {
  const { name, enabled } = policy;
  return {
    title: enabled ? t`Disable ${name}?` : t`Enable ${name}?`,
    sentence: enabled ? <DisableNote policy={policy} /> : <EnableNote policy={policy} />,
    button: enabled ? t`Disable policy` : t`Enable policy`,
    request: () => enable(policy, !enabled),
    message: enabled ? t`Policy disabled` : t`Policy enabled`,
  };
}

function DisableNote({ policy: { pending_confirmation } }: { policy: Policy }) {
  return (
    <>
      {t`The policy stops running until it is enabled again. Its existing tasks remain.`}
      {pending_confirmation !== null && pending_confirmation.count > 0 && (
        <>
          {' '}
          <Plural
            value={{ count: pending_confirmation.count }}
            one="# task awaiting confirmation will be discarded."
            other="# tasks awaiting confirmation will be discarded."
          />
        </>
      )}
    </>
  );
}

function EnableNote({ policy }: { policy: Policy }) {
  const preview = useQuery(previewQuery(policy.external_uuid));
  return (
    <>
      <PolicySentence of={policy} />
      <Text size="sm" mb="xs">
        {policy.trigger === 'daily'
          ? t`The policy first runs after the next midnight in the organization's time zone, for everybody who matches. It creates no task where nothing has to change.`
          : t`The policy responds to future events, not to past ones.`}
      </Text>
      <Text size="sm" role="status">
        {preview.isPending && t`Loading preview…`}
        {preview.isError && detailOf(preview.error)}
        {preview.data !== undefined && (
          <>
            <WouldCreate count={preview.data.count} needsConfirmation={preview.data.needs_confirmation} />
            {preview.data.count > 0 && (
              <>
                {' '}
                <TextLink
                  to="/policies/$policyId"
                  params={{ policyId: policy.external_uuid }}
                  search={{ preview: true }}
                >
                  {t`Show tasks`}
                </TextLink>
              </>
            )}
          </>
        )}
      </Text>
    </>
  );
}

function WouldCreate({ count, needsConfirmation }: { count: number; needsConfirmation: boolean }) {
  const tasks = (
    <strong>
      <Plural value={count} one="# task" other="# tasks" />
    </strong>
  );
  return needsConfirmation ? (
    <Trans>If it ran for everyone now, it would create {tasks}, which would need confirmation.</Trans>
  ) : (
    <Trans>If it ran for everyone now, it would create {tasks}.</Trans>
  );
}
