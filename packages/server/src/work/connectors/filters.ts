import { Type } from 'typebox';
import { Uuid } from '#kit/schemas.ts';
import { filter, filters, sql, type ValuesOf } from '#kit/sql.ts';
import { KINDS, STATES } from './connector.ts';

export const connectorFilters = filters({ app: filter(Uuid, (app) => sql`c.app_id = ${app}`) });
export type ConnectorFilter = ValuesOf<typeof connectorFilters>;

export const runFilters = filters({
  kind: filter(Type.Enum([...KINDS]), (kind) => sql`kind = ${kind}`),
  state: filter(Type.Enum([...STATES]), (state) => sql`state = ${state}`),
  run_id: filter({ ...Uuid, description: 'Only this run.' }, (id) => sql`id = ${id}`),
});
export type RunFilter = ValuesOf<typeof runFilters>;
