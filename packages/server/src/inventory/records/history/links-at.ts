import { type RawBuilder, sql } from 'kysely';
import type { Org } from '../../../kit/database/organization.ts';
import { accountLinks } from './link-facts.ts';

/** Whether the link with this alias existed at the time `at`. */
export const isLinked = (link: string, at: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${link}.since`)} <= ${at}
  and (${sql.ref(`${link}.ended_at`)} is null or ${at} < ${sql.ref(`${link}.ended_at`)}))`;

/** The person to whom an account belonged at the time `at`, or null. `accountId` is an SQL expression. */
export const personAt = (
  org: Org,
  accountId: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<string | null> => sql<string | null>`(
  select pl.user_id from ${accountLinks(org)} pl
  where pl.account_id = ${accountId} and ${isLinked('pl', at)} limit 1)`;
