import { Button, Group } from '@mantine/core';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import type { paths } from '../../api/schema.ts';
import type { App } from './app.ts';

type Change = NonNullable<
  paths['/api/apps/{app_id}/']['patch']['requestBody']
>['content']['application/json'];

/** Changes settings of an app. */
export function useAppChange(app: App) {
  return useChange(
    (body: Change) =>
      ok(api.PATCH('/api/apps/{app_id}/', { params: { path: { app_id: app.external_uuid } }, body })),
    { said: 'Saved' },
  );
}

/** The button under a form of settings; nobody who may not change them sees it. */
export function Save({ pending }: { pending: boolean }) {
  const { manages } = useMe();
  if (!manages) return null;
  return (
    <Group>
      <Button type="submit" loading={pending}>
        Save
      </Button>
    </Group>
  );
}
