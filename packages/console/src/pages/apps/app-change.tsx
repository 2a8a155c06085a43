import { api, load, ok } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { ifMatch } from '../../api/version.ts';
import type { Field, FieldSet } from '../../kit/form/field.ts';
import { useFields } from '../../kit/form/fields.tsx';
import type { App } from './app.ts';

type Change = NonNullable<
  paths['/api/apps/{app_id}/']['patch']['requestBody']
>['content']['application/json'];

/** Fields named like the properties of an app. */
export type AppFields = { [K in keyof Change]?: Field<unknown, Change[K]> };

const pathOf = ({ external_uuid }: App) => ({ app_id: external_uuid });

export const changeApp = (app: App, body: Change, version: string | undefined) =>
  ok(api.PATCH('/api/apps/{app_id}/', { params: { path: pathOf(app), header: ifMatch(version) }, body }));

export const loadApp = (app: App) => load('/api/apps/{app_id}/', { path: pathOf(app) });

/** A form for some fields of an app. */
export const useAppFields = (app: App, fields: AppFields, success: string) =>
  useFields(fields as FieldSet, {
    of: app,
    read: () => loadApp(app),
    send: (body, { version }) => changeApp(app, body, version),
    success,
  });
