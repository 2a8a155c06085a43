import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { PersonName } from '../../parts/person.tsx';
import classes from './new-request.module.css';
import { Approvers } from './route.tsx';

/** Who will decide about a request for an app, step by step. */
export function WhoDecides({ appId, userId }: { appId: string; userId: string }) {
  const { me, readsAll } = useMe();
  const app = useQuery(get('/api/apps/{app_id}/', { path: { app_id: appId } })).data;
  const person = useQuery({
    ...get('/api/users/{user_id}/', { path: { user_id: userId } }),
    enabled: readsAll,
  }).data;
  if (app === undefined) return null;
  return (
    <div className={classes.decides}>
      <strong>Who decides</strong>
      <ol>
        {app.approval_steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the route of an app, as it is now.
          <li key={index}>
            <Approvers of={step} own={userId === me?.external_uuid} />
            {readsAll && step.approvers === 'app_owner' && (
              <>
                : <PersonName id={app.owner} none="nobody yet" />
              </>
            )}
            {step.approvers === 'manager' && person !== undefined && (
              <>
                : <PersonName id={person.manager} none="nobody yet" />
              </>
            )}
          </li>
        ))}
      </ol>
      <Text size="xs" c="dimmed" mt={4}>
        Nobody decides about their own request. Where nobody of a step can, it passes to{' '}
        {app.fallback_approvers === null ? 'the administrators' : 'those who stand in for them'}.
      </Text>
    </div>
  );
}
