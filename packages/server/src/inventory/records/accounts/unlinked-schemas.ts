import { type Static, Type } from 'typebox';
import { AppReference } from '#inventory/apps/reference.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { AccountStatus } from './account.ts';
import { AccountPerson } from './schemas.ts';

/** Why an account may belong to a person. */
export const SUGGESTION_REASONS = ['email', 'username', 'local_part', 'name'] as const;
export type SuggestionReason = (typeof SUGGESTION_REASONS)[number];

export const UnlinkedView = Component('UnlinkedAccount', {
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

export type Unlinked = Static<typeof UnlinkedView>;
export type Suggestion = Unlinked['suggestions'][number];

export const Link = { account: Uuid, user: Uuid };

export const LinkResults = Component('AccountLinkResults', {
  linked: Type.Integer({ minimum: 0 }),
  results: Type.Array(
    Component('AccountLinkResult', {
      ...Link,
      linked: Type.Boolean(),
      detail: Nullable(Type.String({ description: 'Why the account was not linked.' })),
    }),
  ),
});
export type LinkResult = Static<typeof LinkResults>['results'][number];
