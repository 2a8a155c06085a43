import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { IconAlertTriangle } from '../kit/icons/icons.ts';

/** Warns that the tasks of an app will not run, because neither people nor a connector carry them out. Members are not told. */
export function NobodyCarriesOut({ appId }: { appId: string }) {
  const { readsAll } = useMe();
  const app = useQuery({ ...get('/api/apps/{app_id}/', { path: { app_id: appId } }), enabled: readsAll });
  if (app.data?.tasks_carried_out_by !== 'nobody') return null;
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      title={t`Nobody carries out the tasks of ${{ app: app.data.name }}`}
      mb="md"
    >
      <Trans>
        They stay pending until a connector asks for them, or until{' '}
        <TextLink to="/apps/$appId" params={{ appId }} search={{ tab: 'fulfillment' }}>
          manual fulfillment
        </TextLink>{' '}
        is on and has somebody to assign them to.
      </Trans>
    </Alert>
  );
}
