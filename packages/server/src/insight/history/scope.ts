import { accessibleApp } from '#inventory/apps/apps.ts';
import { accountOf } from '#inventory/records/accounts/accounts.ts';
import { appsOf, requireKnownPerson } from '#inventory/records/accounts/as-of.ts';
import type { Scope } from '#inventory/records/history/scope-facts.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import * as queries from './queries/scope.ts';
import { historyRefusals } from './sentences.ts';

/** The parameters that name what a question is about. */
export interface Subject {
  user?: string;
  account?: string;
  app?: string;
  slug?: string;
  resource?: string;
}

/** The subject of a question, limited to what the caller may see. */
export interface Question {
  scope: Scope;
  /** The apps that the caller may see. Null: all. */
  apps: string[] | null;
  /** For a member: only accounts that are theirs, now and at the time in question. */
  owner: string | null;
}

/**
 * Returns the question that these parameters ask. 400 if they name several subjects, 404 for an unknown one, and 403 for
 * one that the caller may not see.
 */
export async function questionOf(call: Call, subject: Subject): Promise<Question> {
  const { user, account, app, slug, resource } = subject;
  if ([user, account, app].filter((one) => one !== undefined).length > 1)
    throw historyRefusals.history_of_one_thing();
  if ((slug === undefined) !== (resource === undefined) || (slug !== undefined && app === undefined))
    throw historyRefusals.history_of_one_thing();
  const apps = appsOf(call.principal, null);
  if (call.principal.role === 'member') {
    const own = call.principal.userId;
    if (app !== undefined || (user !== undefined && user.toLowerCase() !== own))
      throw historyRefusals.history_of_own_accounts();
    if (account === undefined) return { scope: { user: own }, apps, owner: own };
    await accountOf(call, account);
    return { scope: { user: own, account }, apps, owner: own };
  }
  if (user !== undefined) {
    await requireKnownPerson(call, user);
    return { scope: { user }, apps, owner: null };
  }
  if (account !== undefined) {
    await accountOf(call, account);
    return { scope: { account }, apps, owner: null };
  }
  if (app === undefined) return { scope: { all: true }, apps, owner: null };
  const { id } = await accessibleApp(call.db, call.principal, app);
  if (slug === undefined || resource === undefined) return { scope: { app: id }, apps, owner: null };
  const entitlement = await queries.findEntitlement(call, id, slug, resource);
  if (entitlement === undefined) throw notFound('Resource');
  return { scope: { app: id, entitlement }, apps, owner: null };
}
