import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { TextLink } from '../../parts/links.tsx';
import { counted } from '../../parts/words.ts';
import type { Policy } from './policy.ts';
import { PolicySentence } from './policy-sentence.tsx';
import { previewQuery } from './preview.tsx';

/** Asks before a policy is enabled, with a preview of its tasks, or disabled. */
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
    { success: enabled ? 'Policy disabled' : 'Policy enabled', showFailure: false },
  );
  return (
    <Confirm
      opened
      close={close}
      title={`${enabled ? 'Disable' : 'Enable'} ${name}?`}
      action={enabled ? 'Disable policy' : 'Enable policy'}
      harmless
      act={() => change.mutateAsync(undefined)}
    >
      {enabled ? <DisableNote policy={policy} /> : <EnableNote policy={policy} />}
    </Confirm>
  );
}

function DisableNote({ policy: { pending_confirmation } }: { policy: Policy }) {
  return (
    <>
      The policy stops running until it is enabled again. Its existing tasks remain.
      {pending_confirmation !== null &&
        ` ${counted(pending_confirmation.count, 'task')} awaiting confirmation will be discarded.`}
    </>
  );
}

function EnableNote({ policy }: { policy: Policy }) {
  const preview = useQuery(previewQuery(policy.external_uuid));
  return (
    <>
      <PolicySentence of={policy} />
      <Text size="sm" mb="xs">
        The policy responds to future events, not to past ones.
      </Text>
      <Text size="sm" role="status">
        {preview.isPending && 'Loading preview…'}
        {preview.isError && detailOf(preview.error)}
        {preview.data !== undefined && (
          <>
            If it ran for everyone now, it would create <strong>{counted(preview.data.count, 'task')}</strong>
            {preview.data.needs_confirmation && ', which would need confirmation'}.
            {preview.data.count > 0 && (
              <>
                {' '}
                <TextLink
                  to="/policies/$policyId"
                  params={{ policyId: policy.external_uuid }}
                  search={{ preview: true }}
                >
                  View tasks
                </TextLink>
              </>
            )}
          </>
        )}
      </Text>
    </>
  );
}
