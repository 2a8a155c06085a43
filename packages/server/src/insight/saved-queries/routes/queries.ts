import { Type } from 'typebox';
import { listReply, longEnvelope, longPageQuery, operations, pageOf, resource, sendCsv } from '#kit/http.ts';
import { requireAllApps } from '#kit/identity.ts';
import { Component } from '#kit/schemas.ts';
import { listFields } from '../field-list.ts';
import { askedBy, exportRows, listRows } from '../run.ts';
import {
  accessibleQuery,
  changeQuery,
  createQuery,
  deleteQuery,
  listQueries,
  mayChange,
  mayDelete,
  queryVersion,
  questionOf,
} from '../saved.ts';
import type { SavedQuery } from '../saved-query.ts';
import { QueryField, QueryRow, queryFields, SavedQueryView } from '../schemas.ts';

const roles = ['owner', 'admin', 'auditor'] as const;
const place = { path: '/api/queries/', tag: 'Queries' };
/** Keys for some apps get the rows of these. */
const asking = { access: { scope: 'read', roles, apps: 'listed' } } as const;
/** Auditors change nothing in the organization, but save what they ask. */
const saving = { access: { scope: 'govern', roles } } as const;

const questions = operations({ ...place, reading: asking, managing: asking });
const queries = resource<SavedQuery, typeof SavedQueryView>({
  ...place,
  reading: saving,
  managing: saving,
  allow: ({ principal }) => requireAllApps(principal, 'saved queries'),
  id: 'query_id',
  find: accessibleQuery,
  schema: SavedQueryView,
  view: (query, call) => {
    const { id, recipients, schedule, is_abandoned: _, ...shown } = query;
    return {
      external_uuid: id,
      ...shown,
      schedule: schedule && { ...schedule, recipients },
      may_change: mayChange(call, query),
      may_delete: mayDelete(call, query),
    };
  },
  version: queryVersion,
});

const rowsQuery = {
  ...longPageQuery,
  format: Type.Optional(
    Type.Enum(['json', 'csv'], {
      description: 'csv: all rows as CSV, without pages, in the order of ids.',
    }),
  ),
};
const QueryPage = longEnvelope(QueryRow);

/** Queries across people, accounts and access. */
export const queryRoutes = [
  questions.get(
    'fields/',
    'List fields of queries',
    { reply: Component('QueryFields', { results: Type.Array(QueryField) }) },
    () => ({ results: listFields() }),
  ),
  questions.get(
    'run/',
    'Run a query',
    {
      description:
        'Lists people, accounts or access that meet all conditions, of apps that are not archived. Returns 400 with each wrong place, and for a query that takes longer than 10 seconds. Fields of people and apps require a key that may list these.',
      config: { ...asking, reads: 'replica' },
      query: {
        query: Type.Optional(
          Type.String({
            default: '{"subject": "accounts"}',
            description:
              'JSON of the component QueryDefinition, such as `{"subject": "accounts", "conditions": [{"field": "user.left", "operator": "is", "value": true}]}`. Without it, all accounts.',
          }),
        ),
        ...rowsQuery,
      },
      reply: QueryPage,
    },
    async ({ call, query, request, reply, tools }) => {
      const question = await askedBy(call, query.query ?? '{"subject": "accounts"}');
      if (query.format === 'csv') return sendCsv(reply, 'query.csv', await exportRows(call, question));
      const page = pageOf(query);
      return listReply(request, tools.origin(request), page, await listRows(call, question, page));
    },
  ),
  queries.list(
    'List saved queries',
    {
      description:
        'Your own, those that are shared, and those whose results are sent to you, by name. For owners and administrators, also those that were stopped and those of inactive owners.',
    },
    (call, _, page) => listQueries(call, page),
  ),
  queries.create('Save query', { body: Component('NewSavedQuery', queryFields) }, ({ call, body }) =>
    createQuery(call, body),
  ),
  queries.get('Get saved query'),
  queries.change(
    'Change saved query',
    {
      description:
        'By its owner, or by an owner or administrator if it is shared. Its schedule runs with the rights of its owner.',
      body: Type.Partial(Type.Object(queryFields), { title: 'SavedQueryChange' }),
    },
    ({ call, found, body, ifMatch }) => changeQuery(call, found.id, body, ifMatch),
  ),
  queries.remove(
    'Delete saved query',
    {
      description:
        'By its owner, or by an owner or administrator if it is shared, its schedule was stopped or its owner is not active.',
    },
    ({ call, found }) => deleteQuery(call, found.id),
  ),
  queries.one.get(
    'rows/',
    'Run a saved query',
    {
      description: 'Lists what it finds now, with the rights of the caller.',
      config: { ...saving, reads: 'replica' },
      query: rowsQuery,
      reply: QueryPage,
    },
    async ({ call, found, query, request, reply, tools }) => {
      const question = questionOf(call, found);
      if (query.format === 'csv') return sendCsv(reply, 'query.csv', await exportRows(call, question));
      const page = pageOf(query);
      return listReply(request, tools.origin(request), page, await listRows(call, question, page));
    },
  ),
];
