import { type RawBuilder, sql } from '#kit/sql.ts';

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`);

/** The name of a person in a sentence, or the email. `person` is the alias of platform_user. */
export const nameOfPerson = (person: string): RawBuilder<string> =>
  sql`coalesce(nullif(btrim(${column(person, 'first_name')} || ' ' || ${column(person, 'last_name')}), ''), ${column(person, 'email')})`;

/** The name of an account in a sentence. `account` is the alias of accounts. */
export const nameOfAccount = (account: string): RawBuilder<string> =>
  sql`coalesce(nullif(${column(account, 'email')}, ''), nullif(${column(account, 'username')}, ''), ${column(account, 'external_id')}, '')`;

/** The name of a group or license in a sentence. `entitlement` is the alias of entitlements. */
export const nameOfGroup = (entitlement: string): RawBuilder<string> =>
  sql`coalesce(nullif(${column(entitlement, 'name')}, ''), ${column(entitlement, 'external_id')})`;
