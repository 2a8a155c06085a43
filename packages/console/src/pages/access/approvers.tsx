import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { get } from '../../api/client.ts';
import { Pending } from '../../kit/controls/pending.tsx';
import { PersonName } from '../../people/person.tsx';

const ROLES = { manager: t`The person's manager`, app_owner: t`The owner of the app` };

/** The people who decide requests for an app, step by step. */
export function Approvers({ appId }: { appId: string }) {
  const { data: app } = useQuery(get('/api/apps/{app_id}/', { path: { app_id: appId } }));
  if (app === undefined) return <Pending />;
  return app.approval_steps.map(({ approvers }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity.
    <div key={index}>
      {typeof approvers === 'string'
        ? ROLES[approvers]
        : approvers.map((id, at) => (
            <Fragment key={id}>
              {at > 0 && ', '}
              <PersonName id={id} />
            </Fragment>
          ))}
    </div>
  ));
}
