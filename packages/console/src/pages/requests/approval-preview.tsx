import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { PersonName } from '../../parts/person.tsx';
import { Approvers } from './approval-steps.tsx';
import classes from './new-request.module.css';

/** The approval steps that a new request for an app will go through. */
export function ApprovalPreview({ appId, userId }: { appId: string; userId: string }) {
  const { me, readsAll } = useMe();
  const app = useQuery(get('/api/apps/{app_id}/', { path: { app_id: appId } })).data;
  const person = useQuery({
    ...get('/api/users/{user_id}/', { path: { user_id: userId } }),
    enabled: readsAll,
  }).data;
  if (app === undefined) return null;
  return (
    <div className={classes.decides}>
      <strong>Approval steps</strong>
      <ol>
        {app.approval_steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity.
          <li key={index}>
            <Approvers of={step} own={userId === me?.external_uuid} />
            {readsAll && step.approvers === 'app_owner' && (
              <>
                : <PersonName id={app.owner} none="not set" />
              </>
            )}
            {step.approvers === 'manager' && person !== undefined && (
              <>
                : <PersonName id={person.manager} none="not set" />
              </>
            )}
          </li>
        ))}
      </ol>
      <Text size="xs" c="dimmed" mt={4}>
        Nobody can approve their own request. If nobody in a step can decide,{' '}
        {app.fallback_approvers === null ? 'the administrators' : 'the fallback approvers'} decide instead.
      </Text>
    </div>
  );
}
