import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { invalid } from '../../../kit/errors.ts';
import { sendCsv } from '../../../kit/http/csv.ts';
import {
  addressWith,
  envelope,
  listReply,
  longEnvelope,
  longPageQuery,
  pageOf,
  pageQuery,
} from '../../../kit/http/lists.ts';
import { Component, Instant, Nullable, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { instantForSql } from '../../../kit/instants.ts';
import { AppReference, appReference } from '../../apps/reference.ts';
import { ACCOUNT_SORTS } from '../account-view.ts';
import { accountOf, listAccounts } from '../accounts.ts';
import { accountAsOf, asOfFilter, exportAccountsAsOf, listAccountsAsOf, requirePresent } from '../as-of.ts';
import { correlateByHand } from '../correlation.ts';
import { momentOf } from '../history/moment.ts';
import { linkByHand } from '../links.ts';
import { setOwner } from '../owners.ts';
import { changeSuggestion, linkAll, listUnlinked, SUGGESTION_REASONS } from '../suggestions.ts';
import { asOfEnvelope, asOfListQuery, asOfQuery, asOfReply } from './as-of-schemas.ts';
import { requireAccount } from './require-account.ts';
import {
  AccountKind,
  AccountParams,
  AccountPerson,
  AccountStatus,
  ManagedAccount,
  managedAccount,
} from './schemas.ts';

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
  slug: Type.Optional(Type.String({ description: 'With `resource`: the resource type.' })),
  resource: Type.Optional(
    Type.String({
      description:
        'With `slug`: the external id of a group or license, for the accounts that hold it. With `app`, in that app only.',
    }),
  ),
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
  correlation: Type.Optional(
    Type.Enum(['ambiguous'], {
      description:
        'ambiguous: only accounts that a task created and of which an administrator has to choose the record. `candidates` lists the records.',
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
  mfa: Type.Optional(
    Type.Enum(['true', 'false', 'unknown'], {
      description:
        'true: accounts that sign in with a second factor. false: those that do not. unknown: the app does not say.',
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

/** The group or license of which a query names the holders. Throws 400 for half of its name. */
function entitlementIn({ slug, resource }: { slug?: string; resource?: string }) {
  if (slug === undefined && resource === undefined) return null;
  if (slug === undefined || resource === undefined)
    throw invalid('Name both slug and resource, or neither. Together, they name a group or license.');
  return { slug, resource };
}

/** Protocol 4.14. */
export function listAccountsRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/accounts/',
    {
      config: { access: { scope: 'read', apps: 'listed' }, reads: 'replica', ignoresUnknownQuery: true },
      schema: {
        tags: ['Accounts'],
        summary: 'List accounts',
        description:
          'With `as_of`, the accounts that existed at that time, in order of creation. Such a list takes `app`, `user`, `status` and `limit`. A page can hold fewer results than `limit`: follow `next` until it is null. `count` is then the number of results on the page.',
        querystring: Filters,
        response: {
          200: Component('AccountAsOfPage', { ...longEnvelope(ManagedAccount).properties, ...asOfEnvelope }),
        },
      },
    },
    async (request, reply) => {
      const { db } = request.reads;
      const { query } = request;
      const moment = await momentOf(db, query);
      const page = pageOf(query);
      if (moment !== null) {
        const filter = asOfFilter(query);
        if (query.format === 'csv') {
          const text = await exportAccountsAsOf(callOf(db, request), filter, moment);
          return sendCsv(reply, `accounts-${moment.at.slice(0, 10)}.csv`, text);
        }
        const { results, next, coverage } = await listAccountsAsOf(
          callOf(db, request),
          filter,
          moment,
          page.limit,
        );
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
      const { never_used: neverUsed = false, of_leavers: ofLeavers = false, correlation, mfa = null } = query;
      requirePresent(query);
      const filter = {
        entitlement: entitlementIn(query),
        ...{ app, status, email: email || null, search: search || null, user, linked, sort },
        ...{ kind, owner, withoutOwner, neverUsed, ofLeavers, ambiguous: correlation !== undefined, mfa },
        lastSignInBefore: before === undefined ? null : instantForSql(before),
        notUsedForDays,
      };
      const { results, ...counts } = await listAccounts(callOf(db, request), filter, page);
      return listReply(request, origin(request), page, { ...counts, results: results.map(managedAccount) });
    },
  );
}

export function getAccountRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/accounts/:account_id/',
    {
      config: { access: { scope: 'read', apps: 'listed' } },
      schema: {
        tags: ['Accounts'],
        summary: 'Get account',
        description: 'With `as_of`, the account as it was at that time. 404 if it did not exist then.',
        params: AccountParams,
        querystring: Type.Object(asOfQuery),
        response: { 200: Component('AccountAsOf', { ...ManagedAccount.properties, ...asOfEnvelope }) },
      },
    },
    async (request) => {
      const moment = await momentOf(db, request.query);
      if (moment === null)
        return managedAccount(await accountOf(callOf(db, request), request.params.account_id));
      const { account, coverage } = await accountAsOf(callOf(db, request), request.params.account_id, moment);
      return { ...managedAccount(account), ...asOfReply(moment, coverage) };
    },
  );
}

export function linkAccountRoute(http: Http, { db }: RouteTools) {
  http.patch(
    '/api/accounts/:account_id/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
      onRequest: requireAccount(db),
      schema: {
        tags: ['Accounts'],
        summary: 'Link account to a user, or set its owner',
        description:
          'Links the account to a user, or unlinks it with null. Sets what kind of account it is, and who is responsible for a service or shared account; repeating the current values confirms those that the app names. Syncs keep all of these as they are.',
        params: AccountParams,
        body: Component('AccountChange', {
          user: Type.Optional(Nullable(Uuid)),
          kind: Type.Optional(AccountKind),
          owner: Type.Optional(Nullable(Uuid)),
        }),
        response: { 200: ManagedAccount },
      },
    },
    async (request) => {
      const { params } = request;
      const { user, ...ownership } = request.body;
      const id = params.account_id;
      if (user === undefined && ownership.kind === undefined && ownership.owner === undefined)
        throw invalid('Field required (user): Name user, kind or owner.');
      if (ownership.kind !== undefined || ownership.owner !== undefined)
        await setOwner(callOf(db, request), id, ownership);
      if (user !== undefined) await linkByHand(callOf(db, request), id, user);
      return managedAccount(await accountOf(callOf(db, request), id));
    },
  );
}

export function correlateAccountRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/accounts/:account_id/correlate/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
      onRequest: requireAccount(db),
      schema: {
        tags: ['Accounts'],
        summary: 'Choose the record of an account that a task created',
        description:
          'The account becomes the one with this `external_id` in its app, with the status and the access of that record. Its scheduled tasks stay, such as the one that ends its access, and those of the record join them. A record that has taken the account over before becomes an account of its own; choosing that record again confirms it. 403 for your own account, unless you are the only administrator. 409 if the record is certain, or this one cannot be it.',
        params: AccountParams,
        body: Component('AccountCorrelation', { external_id: Type.String({ minLength: 1, maxLength: 512 }) }),
        response: { 200: ManagedAccount },
      },
    },
    async (request) => {
      const { params, body } = request;
      const account = await correlateByHand(callOf(db, request), params.account_id, body.external_id);
      return managedAccount(account);
    },
  );
}

const UnlinkedView = Component('UnlinkedAccount', {
  external_uuid: Uuid,
  app: AppReference,
  external_id: Nullable(Type.String()),
  email: Type.String(),
  username: Type.String(),
  display_name: Type.String(),
  status: AccountStatus,
  created_at: Timestamp,
  suggestions: Type.Array(
    Component('SuggestedUser', {
      user: AccountPerson,
      score: Type.Integer({ minimum: 0, maximum: 100 }),
      reason: Type.Enum([...SUGGESTION_REASONS], {
        description: 'The same email, username, part of the email before the @, or a name that is alike.',
      }),
    }),
    { description: 'At most 5 users, the likeliest first.' },
  ),
});

export function listUnlinkedAccountsRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/accounts/unlinked/',
    {
      config: {
        access: { scope: 'read', roles: ['owner', 'admin', 'auditor'] },
        reads: 'replica',
      },
      schema: {
        tags: ['Accounts'],
        summary: 'List unlinked accounts with suggestions',
        description:
          'Accounts that belong to nobody and have no owner, oldest first, each with the users to whom it may belong.',
        querystring: Type.Object({ ...pageQuery, app: Type.Optional(Uuid) }),
        response: { 200: envelope(UnlinkedView) },
      },
    },
    async (request) => {
      const { query, principal } = request;
      const page = pageOf(query);
      const { count, results } = await listUnlinked(
        within(request.reads.db, principal.orgId),
        query.app ?? null,
        page,
      );
      const accounts = results.map(({ id, app_id, app_name, suggestions, ...account }) => ({
        ...account,
        external_uuid: id,
        status: account.status as 'ACTIVE',
        app: appReference(app_id, app_name),
        suggestions: suggestions.map(({ score, reason, user_id, ...user }) => ({
          user: { external_uuid: user_id, ...user },
          score,
          reason,
        })),
      }));
      return listReply(request, origin(request), page, { count, results: accounts });
    },
  );
}

const Link = { account: Uuid, user: Uuid };

export function linkAccountsRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/accounts/link/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
      schema: {
        tags: ['Accounts'],
        summary: 'Link many accounts to users',
        description:
          'Links unlinked accounts one by one. An account that cannot be linked is reported and does not affect the others.',
        body: Component('AccountLinks', {
          links: Type.Array(Component('AccountLink', Link), { minItems: 1, maxItems: 500 }),
        }),
        response: {
          200: Component('AccountLinkResults', {
            linked: Type.Integer({ minimum: 0 }),
            results: Type.Array(
              Component('AccountLinkResult', {
                ...Link,
                linked: Type.Boolean(),
                detail: Nullable(Type.String({ description: 'Why the account was not linked.' })),
              }),
            ),
          }),
        },
      },
    },
    async (request) => {
      const results = await linkAll(callOf(db, request), request.body.links);
      return { linked: results.filter(({ linked }) => linked).length, results };
    },
  );
}

const SUGGESTION_CHANGES = [
  {
    action: 'dismiss-suggestion',
    to: 'dismissed',
    summary: 'Dismiss a suggested user',
    description: 'The account does not belong to this user, who is not suggested for it again.',
  },
  {
    action: 'restore-suggestion',
    to: 'restored',
    summary: 'Undo the dismissal of a suggested user',
    description:
      'The user is suggested for the account again if the two still match. Restoring a user who was not dismissed changes nothing.',
  },
] as const;

export function changeSuggestionRoutes(http: Http, { db }: RouteTools) {
  for (const { action, to, summary, description } of SUGGESTION_CHANGES)
    http.post(
      `/api/accounts/:account_id/${action}/`,
      {
        config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
        onRequest: requireAccount(db),
        schema: {
          tags: ['Accounts'],
          summary,
          description,
          params: AccountParams,
          body: Component('AccountSuggestion', { user: Uuid }),
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        await changeSuggestion(callOf(db, request), params.account_id, body.user, to);
        return reply.code(204).send(null);
      },
    );
}
