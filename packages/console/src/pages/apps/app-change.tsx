import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import type { paths } from '../../api/schema.ts';
import { FormFailure } from '../../parts/form-failure.tsx';
import type { App } from './app.ts';

type Change = NonNullable<
  paths['/api/apps/{app_id}/']['patch']['requestBody']
>['content']['application/json'];

export const changeApp = (app: App, body: Change) =>
  ok(api.PATCH('/api/apps/{app_id}/', { params: { path: { app_id: app.external_uuid } }, body }));

/** The error and the button at the end of a settings form. Hidden from users who may not change settings. */
export function Save({ pending, failure }: { pending: boolean; failure: string | undefined }) {
  const { manages } = useMe();
  if (!manages) return null;
  return (
    <>
      <FormFailure of={failure} />
      <Group>
        <Button type="submit" loading={pending}>
          <Trans>Save</Trans>
        </Button>
      </Group>
    </>
  );
}
