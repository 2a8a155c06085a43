import { appReference } from '#inventory/apps/reference.ts';
import { addressWith, type Given, listReply, longEnvelope, pageOf, sendCsv } from '#kit/http.ts';
import { Component } from '#kit/schemas.ts';
import { asOfEnvelope, asOfReply } from '../../history/as-of-schemas.ts';
import { momentOf } from '../../history/moment.ts';
import { accountFilters } from '../account-filters.ts';
import type { AccountView } from '../account-view.ts';
import { listAccounts } from '../accounts.ts';
import {
  type AccountsQuery,
  asOfFilter,
  exportAccountsAsOf,
  listAccountsAsOf,
  requirePresent,
} from '../as-of.ts';
import type { AccountAsOf } from '../queries/accounts-as-of.ts';
import { type WithGrants, withGrants } from '../reasons.ts';
import { ManagedAccount } from '../schemas.ts';
import { type ReadReasons, withSuspensions } from '../suspensions.ts';

export const managedAccount = (
  account: Partial<Pick<AccountView, 'candidates' | 'is_own'>> &
    (WithGrants<AccountView> | WithGrants<AccountAsOf>),
) => {
  const { candidates, is_own, ...rest } = account;
  return {
    ...rest,
    external_uuid: account.id,
    app: appReference(account.app_id, account.app_name),
    ...(candidates && { candidates }),
    ...(is_own && { is_own }),
  };
};

export const AccountPage = Component('AccountAsOfPage', {
  ...longEnvelope(ManagedAccount).properties,
  ...asOfEnvelope,
});

type Asked = AccountsQuery & { as_of?: string; known_at?: string; limit?: number };

/** Replies with accounts as they are now, or as they were at the time that the query names: a page, or a CSV file. */
export async function accountPage(
  { call, request, reply, tools }: Pick<Given<never, never, never>, 'call' | 'request' | 'reply' | 'tools'>,
  query: Asked,
  fileName: string,
  { readGrants, readSuspensions }: ReadReasons,
) {
  const page = pageOf(query);
  const moment = await momentOf(call.db, query);
  if (moment === null) {
    requirePresent(query);
    const filter = { ...accountFilters.of(query), sort: query.sort ?? 'created' };
    const { results, ...counts } = await listAccounts(call, filter, page);
    const reasoned = (await withGrants(call, readGrants, results)).map(managedAccount);
    const shown = readSuspensions ? await withSuspensions(call, readSuspensions, reasoned) : reasoned;
    return listReply(request, tools.origin(request), page, { ...counts, results: shown });
  }
  const filter = asOfFilter(query);
  if (query.format === 'csv') {
    const text = await exportAccountsAsOf(call, filter, moment);
    return sendCsv(reply, `${fileName}-${moment.at.slice(0, 10)}.csv`, text);
  }
  const { results, next, coverage } = await listAccountsAsOf(call, filter, moment, page.limit);
  return {
    count: results.length,
    more: next !== null,
    next: next === null ? null : addressWith(request, tools.origin(request), { after: next }),
    previous: null,
    results: (await withGrants(call, readGrants, results, moment)).map(managedAccount),
    ...asOfReply(moment, coverage),
  };
}
