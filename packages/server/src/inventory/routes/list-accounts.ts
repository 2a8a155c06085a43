import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { sendCsv } from '../../platform/http/csv.ts';
import { addressWith, listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import { Instant, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { instantForSql } from '../../platform/instants.ts';
import { ACCOUNT_SORTS, listAccounts } from '../accounts.ts';
import { asOfFilter, exportAccountsAsOf, listAccountsAsOf, requirePresent } from '../as-of.ts';
import { momentOf } from '../history/moment.ts';
import { asOfEnvelope, asOfListQuery, asOfQuery, asOfReply } from './as-of-schemas.ts';
import { AccountStatus, ManagedAccount, managedAccount } from './schemas.ts';

const Filters = Type.Object({
  ...longPageQuery,
  app: Type.Optional(Uuid),
  email: Type.Optional(Type.String({ description: 'Part of the email, compared without case.' })),
  search: Type.Optional(
    Type.String({
      description: 'Part of the email, the username or the display name, compared without case.',
    }),
  ),
  status: Type.Optional(AccountStatus),
  user: Type.Optional(Uuid),
  linked: Type.Optional(
    Type.Boolean({ description: 'true: accounts that belong to a person. false: orphaned accounts.' }),
  ),
  kind: Type.Optional(Type.Enum(['service', 'shared'])),
  owner: Type.Optional({ ...Uuid, description: 'The service and shared accounts for which a user answers.' }),
  without_owner: Type.Optional(
    Type.Boolean({ description: 'true: only service and shared accounts without an active owner.' }),
  ),
  of_leavers: Type.Optional(
    Type.Boolean({
      description:
        'true: only INVITED, ACTIVE and SUSPENDED accounts of users who are deactivated or past their end date (UTC).',
    }),
  ),
  last_sign_in_before: Type.Optional({
    ...Instant,
    description: 'Accounts that were last used before this time, as their apps say.',
  }),
  not_used_for_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description:
        'Dormant accounts: not used for this number of days, and known for as long if never used. Accounts of apps that do not say when accounts are used are left out.',
    }),
  ),
  never_used: Type.Optional(
    Type.Boolean({
      description:
        'true: only accounts that were never used. Accounts of apps that do not say when accounts are used are left out.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum([...ACCOUNT_SORTS], {
      default: 'created',
      description: 'In both orders of `last_sign_in`, accounts without a known last sign-in come last.',
    }),
  ),
  ...asOfQuery,
  ...asOfListQuery,
});

/** Protocol 4.14. */
export function listAccountsRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/accounts/',
    {
      config: { access: { scope: 'read', apps: 'listed' }, reads: 'replica' },
      schema: {
        tags: ['Accounts'],
        summary: 'List accounts',
        description:
          'With `as_of`, the accounts that existed at that time, in order of creation. Such a list takes `app`, `user`, `status` and `limit`. A page can hold fewer results than `limit`: follow `next` until it is null. `count` is then the number of results on the page.',
        querystring: Filters,
        response: { 200: Type.Object({ ...longEnvelope(ManagedAccount).properties, ...asOfEnvelope }) },
      },
    },
    async (request, reply) => {
      const { db } = request.reads;
      const { query, principal } = request;
      const moment = await momentOf(db, query);
      const page = pageOf(query);
      if (moment !== null) {
        const filter = asOfFilter(query);
        if (query.format === 'csv') {
          const text = await exportAccountsAsOf(db, principal, filter, moment, causeOf(request));
          return sendCsv(reply, `accounts-${moment.at.slice(0, 10)}.csv`, text);
        }
        const { results, next, coverage } = await listAccountsAsOf(db, principal, filter, moment, page.limit);
        return {
          count: results.length,
          more: next !== null,
          next: next === null ? null : addressWith(request, origin(request), { after: next }),
          previous: null,
          results: results.map(managedAccount),
          ...asOfReply(moment, coverage),
        };
      }
      const { app = null, status = null, user = null, linked = null, sort = 'created' } = query;
      const { email, search, kind = null, owner = null, without_owner: withoutOwner = false } = query;
      const { last_sign_in_before: before, not_used_for_days: notUsedForDays = null } = query;
      const { never_used: neverUsed = false, of_leavers: ofLeavers = false } = query;
      requirePresent(query);
      const filter = {
        ...{ app, status, email: email || null, search: search || null, user, linked, sort },
        ...{ kind, owner, withoutOwner, neverUsed, ofLeavers },
        lastSignInBefore: before === undefined ? null : instantForSql(before),
        notUsedForDays,
      };
      const { results, ...counts } = await listAccounts(db, principal, filter, page);
      return listReply(request, origin(request), page, { ...counts, results: results.map(managedAccount) });
    },
  );
}
