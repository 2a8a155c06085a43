import { Type } from 'typebox';
import { longPageQuery, noContent, resource } from '#kit/http.ts';
import type { Call } from '#kit/identity.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { asOfEnvelope, asOfListQuery, asOfQuery, asOfReply } from '../../history/as-of-schemas.ts';
import { momentOf } from '../../history/moment.ts';
import { recordRefusals } from '../../sentences.ts';
import { accountFilters } from '../account-filters.ts';
import { ACCOUNT_SORTS, type AccountView } from '../account-view.ts';
import { accountOf } from '../accounts.ts';
import { accountAsOf } from '../as-of.ts';
import { correlateByHand } from '../correlation.ts';
import { linkByHand } from '../links.ts';
import { setOwner } from '../owners.ts';
import { type ReadGrants, type WithGrants, withGrants } from '../reasons.ts';
import { AccountKind, ManagedAccount } from '../schemas.ts';
import { changeSuggestion, linkAll, listUnlinked } from '../suggestions.ts';
import { type ReadReasons, withSuspensions } from '../suspensions.ts';
import { Link, LinkResults, UnlinkedView } from '../unlinked-schemas.ts';
import { AccountPage, accountPage, managedAccount } from './account-pages.ts';

const reading = { access: { scope: 'read', apps: 'listed' } } as const;
const administrators = { scope: 'govern', roles: ['owner', 'admin'] } as const;

/** Protocol 4.14. */
const accounts = resource<AccountView, typeof ManagedAccount, WithGrants<AccountView>>({
  path: '/api/accounts/',
  tag: 'Accounts',
  reading,
  managing: { access: { ...administrators, apps: 'listed' } },
  id: 'account_id',
  find: accountOf,
  schema: ManagedAccount,
  view: managedAccount,
});

const Sort = Type.Enum([...ACCOUNT_SORTS], {
  default: 'created',
  description: 'In both orders of `last_sign_in`, accounts without a known last sign-in come last.',
});

const AccountChange = Component('AccountChange', {
  user: Type.Optional(Nullable(Uuid)),
  kind: Type.Optional(AccountKind),
  owner: Type.Optional(Nullable(Uuid)),
});

/** Returns an account with its grants. */
const shownBy = (readGrants: ReadGrants) => async (call: Call, account: AccountView) =>
  (await withGrants(call, readGrants, [account]))[0] as WithGrants<AccountView>;

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

export const accountRoutes = ({ readGrants, readSuspensions }: Required<ReadReasons>) => [
  accounts.all.get(
    '',
    'List accounts',
    {
      description:
        'With `as_of`, the accounts that existed at that time, in order of creation. Such a list takes `app`, `user`, `status` and `limit`. A page can hold fewer results than `limit`: follow `next` until it is null. `count` is then the number of results on the page.',
      config: { ...reading, reads: 'replica', ignoresUnknownQuery: true },
      query: {
        ...longPageQuery,
        ...accountFilters.query,
        sort: Type.Optional(Sort),
        ...asOfQuery,
        ...asOfListQuery,
      },
      reply: AccountPage,
    },
    (given) => accountPage(given, given.query, 'accounts', { readGrants, readSuspensions }),
  ),
  accounts.one.get(
    '',
    'Get account',
    {
      description: 'With `as_of`, the account as it was at that time. 404 if it did not exist then.',
      query: asOfQuery,
      reply: Component('AccountAsOf', { ...ManagedAccount.properties, ...asOfEnvelope }),
    },
    async ({ call, found, query }) => {
      const moment = await momentOf(call.db, query);
      if (moment === null) {
        const reasoned = managedAccount(await shownBy(readGrants)(call, found));
        const [shown] = await withSuspensions(call, readSuspensions, [reasoned]);
        return shown as typeof shown & object;
      }
      const { account, coverage } = await accountAsOf(call, found, moment);
      const [shown] = await withGrants(call, readGrants, [account], moment);
      return { ...managedAccount(shown as NonNullable<typeof shown>), ...asOfReply(moment, coverage) };
    },
  ),
  accounts.change(
    'Link account to a user, or set its owner',
    {
      description:
        'Links the account to a user, or unlinks it with null. Sets what kind of account it is, and who is responsible for a service or shared account; repeating the current values confirms those that the app names. Syncs keep all of these as they are.',
      body: AccountChange,
    },
    async ({ call, found: { id }, body: { user, ...ownership } }) => {
      if (user === undefined && ownership.kind === undefined && ownership.owner === undefined)
        throw recordRefusals.user_kind_or_owner_missing();
      if (ownership.kind !== undefined || ownership.owner !== undefined) await setOwner(call, id, ownership);
      if (user !== undefined) await linkByHand(call, id, user);
      return shownBy(readGrants)(call, await accountOf(call, id));
    },
  ),
  accounts.act(
    'correlate/',
    'Choose the record of an account that a task created',
    {
      description:
        'The account becomes the one with this `external_id` in its app, with the status and the access of that record. Its scheduled tasks stay, such as the one that ends its access, and those of the record join them. A record that has taken the account over before becomes an account of its own; choosing that record again confirms it. 403 for your own account, unless you are the only administrator. 409 if the record is certain, or this one cannot be it.',
      body: Component('AccountCorrelation', { external_id: Type.String({ minLength: 1, maxLength: 512 }) }),
    },
    async ({ call, found, body }) =>
      shownBy(readGrants)(call, await correlateByHand(call, found.id, body.external_id)),
  ),
  accounts.all.list(
    'unlinked/',
    'List unlinked accounts with suggestions',
    {
      config: { access: { scope: 'read', roles: ['owner', 'admin', 'auditor'] }, reads: 'replica' },
      description:
        'Accounts that belong to nobody and have no owner, oldest first, each with the users to whom it may belong.',
      query: { app: accountFilters.query.app },
      item: UnlinkedView,
    },
    ({ call, query: { app = null } }, page) => listUnlinked(call, app, page),
  ),
  accounts.all.post(
    'link/',
    'Link many accounts to users',
    {
      description:
        'Links unlinked accounts one by one. An account that cannot be linked is reported and does not affect the others.',
      config: { access: administrators },
      body: Component('AccountLinks', {
        links: Type.Array(Component('AccountLink', Link), { minItems: 1, maxItems: 500 }),
      }),
      reply: LinkResults,
    },
    async ({ call, body }) => {
      const results = await linkAll(call, body.links);
      return { linked: results.filter(({ linked }) => linked).length, results };
    },
  ),
  ...SUGGESTION_CHANGES.map(({ action, to, summary, description }) =>
    accounts.one.post(
      `${action}/`,
      summary,
      {
        description,
        config: { access: administrators },
        body: Component('AccountSuggestion', { user: Uuid }),
        ...noContent,
      },
      ({ call, found, body }) => changeSuggestion(call, found.id, body.user, to),
    ),
  ),
];
