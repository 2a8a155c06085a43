import { appRefusals } from '#inventory/apps/sentences.ts';
import { momentOf } from '#inventory/records/history/moment.ts';
import { recordRefusals } from '#inventory/records/sentences.ts';
import type { OrgDb } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, mayTouchApp } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { openSuspensions } from './facts.ts';
import type { SuspensionFilter } from './filters.ts';
import * as queries from './queries/list.ts';

/** Members see that an account is suspended, and by what kind of decision: who decided and why is for others. */
const isLimited = ({ principal }: Call) => principal.role === 'member';

const shown = (call: Call, one: queries.SuspensionView): queries.SuspensionView & { isLimited: boolean } => ({
  ...one,
  isLimited: isLimited(call),
});

/** Lists suspensions. A key that is limited to some apps sees those of these, and members those of their own and their reports' accounts. */
export async function listSuspensions(
  call: Call,
  { as_of, known_at, ...filter }: SuspensionFilter & { as_of?: string; known_at?: string },
  page: Page,
): Promise<Slice<ReturnType<typeof shown>>> {
  const { apps, userId } = call.principal;
  if (filter.app !== undefined && !mayTouchApp(call.principal, filter.app))
    throw appRefusals.key_without_app();
  const moment = await momentOf(call.db, { as_of, known_at } as Parameters<typeof momentOf>[1]);
  const seen = { apps: apps === 'all' ? null : [...apps], only: isLimited(call) ? userId : null, moment };
  const { results, ...counts } = await queries.listSuspensions(call, filter, seen, page);
  return { ...counts, results: results.map((one) => shown(call, one)) };
}

/** Returns a suspension. 404 for an unknown one; 403 for an app that the key may not access, and for members about others. */
export async function suspensionOf(call: Call, id: string): Promise<ReturnType<typeof shown>> {
  const found = isUuid(id) ? await queries.findSuspension(call, id) : undefined;
  if (found === undefined) throw notFound('Suspension');
  if (!mayTouchApp(call.principal, found.app_id)) throw recordRefusals.key_without_app_of_account();
  if (isLimited(call) && (await queries.isOfPerson(call, id, call.principal.userId)) === undefined)
    throw recordRefusals.own_accounts_only();
  return shown(call, found);
}

/** A suspension as an account shows it. */
export interface SuspensionOfAccount {
  external_uuid: string;
  kind: queries.SuspensionView['kind'];
  label: string | null;
  leaving: boolean;
  since: Date;
}

/** Returns the suspensions in force of accounts, by account. `isMember`: without what members do not see. */
export async function suspensionsOfAccounts(
  db: OrgDb,
  accountIds: readonly string[],
  isMember: boolean,
): Promise<Map<string, SuspensionOfAccount[]>> {
  const found = (await openSuspensions(db, accountIds)).filter(({ has_begun }) => has_begun);
  const views = found.map(({ id, account_id, kind, label, leaving, since }) => ({
    account_id,
    view: { external_uuid: id, kind, label: isMember ? null : label, leaving, since },
  }));
  const byAccount = Map.groupBy(views, ({ account_id }) => account_id);
  return new Map([...byAccount].map(([id, all]) => [id, all.map((one) => one.view)]));
}
