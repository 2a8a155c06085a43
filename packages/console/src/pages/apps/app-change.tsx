import { api, load, ok } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { ifMatch } from '../../api/version.ts';
import { type Edits, editsFrom } from '../../kit/form/edits.ts';
import type { App } from './app.ts';

type Change = NonNullable<
  paths['/api/apps/{app_id}/']['patch']['requestBody']
>['content']['application/json'];

const pathOf = ({ external_uuid }: App) => ({ app_id: external_uuid });

export const changeApp = (app: App, body: Change, version: string | undefined) =>
  ok(api.PATCH('/api/apps/{app_id}/', { params: { path: pathOf(app), header: ifMatch(version) }, body }));

/** The `edits` of a form that was filled from an app. */
export const editsOf = <V,>(app: App, valuesOf: (app: App) => V, rows: Edits<V>['rows']): Edits<V> =>
  editsFrom(app, () => load('/api/apps/{app_id}/', { path: pathOf(app) }), valuesOf, rows);
