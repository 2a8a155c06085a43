import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { TextLink } from '../../parts/links.tsx';
import { counted } from '../../parts/words.ts';
import { PolicySentence } from './effect-words.tsx';
import type { Policy } from './policy.ts';
import { previewQuery } from './preview.tsx';

/** Asks before a policy is switched on, with what it would do, or off. */
export function Toggle({ policy, close }: { policy: Policy; close: () => void }) {
  const { external_uuid: id, name, enabled } = policy;
  const change = useChange(
    () =>
      ok(
        api.PATCH('/api/policies/{policy_id}/', {
          params: { path: { policy_id: id } },
          body: { enabled: !enabled },
        }),
      ),
    { said: enabled ? 'Policy disabled' : 'Policy enabled', tell: false },
  );
  return (
    <Confirm
      opened
      close={close}
      title={`${enabled ? 'Disable' : 'Enable'} ${name}?`}
      action={enabled ? 'Disable' : 'Enable'}
      harmless
      act={() => change.mutateAsync(undefined)}
    >
      {enabled ? <Off policy={policy} /> : <On policy={policy} />}
    </Confirm>
  );
}

function Off({ policy: { pending_confirmation } }: { policy: Policy }) {
  return (
    <>
      It does nothing more until it is enabled again. The tasks that it has made stay.
      {pending_confirmation !== null &&
        ` What it holds, ${counted(pending_confirmation.count, 'task')}, is discarded.`}
    </>
  );
}

function On({ policy }: { policy: Policy }) {
  const preview = useQuery(previewQuery(policy.external_uuid));
  return (
    <>
      <PolicySentence of={policy} />
      <Text size="sm" mb="xs">
        It acts on what happens from now on, not on what has been.
      </Text>
      <Text size="sm" role="status">
        {preview.isPending && 'Looking at what it would create…'}
        {preview.isError && detailOf(preview.error)}
        {preview.data !== undefined && (
          <>
            If its trigger fired for everyone now, it would create{' '}
            <strong>{counted(preview.data.count, 'task')}</strong>
            {preview.data.needs_confirmation && ', more than the limit: that would wait for a confirmation'}.
            {preview.data.count > 0 && (
              <>
                {' '}
                <TextLink
                  to="/policies/$policyId"
                  params={{ policyId: policy.external_uuid }}
                  search={{ preview: true }}
                >
                  See which
                </TextLink>
              </>
            )}
          </>
        )}
      </Text>
    </>
  );
}
