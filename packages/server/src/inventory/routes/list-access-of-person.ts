import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { sendCsv } from '../../platform/http/csv.ts';
import { addressWith, listReply, longEnvelope, pageOf, pageQuery } from '../../platform/http/lists.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listAccounts } from '../accounts.ts';
import {
  asOfFilter,
  exportAccountsAsOf,
  listAccountsAsOf,
  requireKnownPerson,
  requirePresent,
} from '../as-of.ts';
import { momentOf } from '../history/moment.ts';
import { asOfEnvelope, asOfListQuery, asOfQuery, asOfReply } from './as-of-schemas.ts';
import { ManagedAccount, managedAccount } from './schemas.ts';

export function listAccessOfPersonRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/users/:user_id/access/',
    {
      config: { access: { scope: 'read', apps: 'listed' }, reads: 'replica' },
      schema: {
        tags: ['People'],
        summary: "List a user's access",
        description:
          "The user's accounts with their groups and licenses. With `as_of`, those at that time, with the paging of `GET /api/accounts/`; the user may have been deleted since.",
        params: Type.Object({ user_id: Uuid }),
        querystring: Type.Object({ ...pageQuery, ...asOfQuery, ...asOfListQuery }),
        response: { 200: Type.Object({ ...longEnvelope(ManagedAccount).properties, ...asOfEnvelope }) },
      },
    },
    async (request, reply) => {
      const { db } = request.reads;
      const { query, principal } = request;
      const user = request.params.user_id;
      await requireKnownPerson(db, principal, user);
      const moment = await momentOf(db, query);
      const page = pageOf(query);
      if (moment === null) {
        requirePresent(query);
        const filter = { app: null, status: null, email: null, search: null, user, linked: null };
        const slice = await listAccounts(db, principal, { ...filter, sort: 'created' }, page);
        return listReply(request, origin(request), page, {
          ...slice,
          results: slice.results.map(managedAccount),
        });
      }
      const filter = asOfFilter({ ...query, user });
      if (query.format === 'csv') {
        const text = await exportAccountsAsOf(db, principal, filter, moment, causeOf(request));
        return sendCsv(reply, `access-${moment.at.slice(0, 10)}.csv`, text);
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
    },
  );
}
