import type { Org } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { personWithEmail } from '../facts.ts';

/*
 * The rule by which an account gets or changes its person without a decision of somebody (D83). Publications, and the plans that
 * predict them, use these fragments. Other changes by themselves only link accounts that belong to nobody (awaitsPerson).
 */

/** Whether an email has become another one. Spelling and case do not matter. */
export const isAnotherEmail = (before: RawBuilder<unknown>, now: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${before} <> ${now} and ${emailKey(before)} <> ${emailKey(now)})`;

/** Whether the email of its record may link account `a`: it belongs to nobody, or the email of its record has changed. */
export const mayLink = (email: RawBuilder<unknown>, hasChanged: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(not a.user_linked_by_hand and ${email} <> '' and (a.user_id is null or ${hasChanged}))`;

/**
 * The person to whom the email of its record links account `a`, or null. An email that the record has already had while the account
 * belonged to its present person comes back, and is not that of somebody else: a connector left it out for a while, or a
 * task wrote another one.
 */
export const linkedPerson = (org: Org, email: RawBuilder<unknown>): RawBuilder<string | null> => sql`(
  select found.id from (select ${personWithEmail(org, emailKey(email))} as id offset 0) found
  where found.id is not null and (a.user_id is null or found.id = a.user_id or not exists (
    select from account_period former
    where former.org_id = ${org.orgId} and former.account_id = a.id
      and former.ended_at > coalesce(a.linked_at, '-infinity') and ${emailKey(sql`former.email`)} = ${emailKey(email)})))`;
