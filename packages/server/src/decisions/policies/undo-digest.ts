import { asRead } from '#directory/people/as-read.ts';
import { PERSON_FIELDS } from '#directory/people/facts.ts';
import { fieldsRead, keysRead } from '#kit/cel-fields.ts';
import type { OrgDb } from '#kit/database.ts';
import { versionOf } from '#kit/versions.ts';
import { type PolicySpec, VARIABLES } from './policy.ts';
import { accountsWithin, peopleWithin } from './queries/targets.ts';
import { FIELDS } from './targets.ts';

/** A person in an app, with the account there, or an account of nobody. */
export interface Concerned {
  app_id: string;
  user_id: string | null;
  account_id: string | null;
}

type Condition = Pick<PolicySpec, 'condition'>;

/** Returns what the conditions of two policies read of somebody, as a text that changes with it. */
export type DigestOf = (policies: readonly Condition[], concerned: Concerned) => string;

/** Leaving, returning and leave are changes, whether the conditions read them or not. */
const ALWAYS = ['status', 'start_date', 'end_date', 'on_leave'];

/** Policies and time change these fields of accounts themselves. */
const OWN = new Set(['status', 'memberships', 'assignments', 'last_seen_at', 'days_since_sign_in']);

const ACCOUNT_FIELDS = Object.keys(FIELDS.account).filter((field) => !OWN.has(field));

/** Reads what conditions could read of these people and accounts. */
export async function readDigests(db: OrgDb, concerned: readonly Concerned[]): Promise<DigestOf> {
  const idsOf = (field: keyof Concerned) => [...new Set(concerned.flatMap((one) => one[field] ?? []))];
  const people = await peopleWithin(db, { ids: idsOf('user_id') }, Object.keys(PERSON_FIELDS));
  const wanted = { person: [], account: ACCOUNT_FIELDS, held: false };
  const ids = idsOf('account_id');
  const accounts = ids.length === 0 ? [] : await accountsWithin(db, { ids }, idsOf('app_id'), false, wanted);
  const personOf = new Map(people.map((person) => [person.id, asRead(person)]));
  const accountOf = new Map(accounts.map((account) => [account.id, account]));
  return (policies, { user_id, account_id }) => {
    const read = (variable: 'user' | 'account', from: object | undefined, always: readonly string[]) => {
      const fields = new Set([...always, ...policies.flatMap((policy) => fieldsOf(policy, variable))]);
      return from === undefined ? null : picked(from as Values, [...fields], keysOf(policies, variable));
    };
    return versionOf({
      user: read('user', personOf.get(user_id ?? ''), ALWAYS),
      account: read('account', accountOf.get(account_id ?? ''), []),
    });
  };
}

type Values = Record<string, unknown>;

/** The fields that a condition reads, without those that policies or time change. */
function fieldsOf({ condition }: Condition, variable: 'user' | 'account'): string[] {
  const read = fieldsRead(condition, VARIABLES).get(variable) ?? new Set<string>();
  const fields = read === 'all' ? Object.keys(FIELDS[variable]) : [...read];
  if (variable === 'user') return fields;
  const signIn = fields.includes('days_since_sign_in') ? ['last_sign_in_at'] : [];
  return [...fields.filter((field) => !OWN.has(field)), ...signIn];
}

function keysOf(policies: readonly Condition[], variable: 'user' | 'account'): readonly string[] | 'all' {
  const keys = policies.map(({ condition }) => keysRead(condition, variable, 'attributes'));
  return keys.includes('all') ? 'all' : keys.flatMap((each) => [...each]);
}

function picked(from: Values, fields: readonly string[], keys: readonly string[] | 'all'): Values {
  const entries = fields.map((field) => [field, from[field]] as const);
  const attributes = (from.attributes ?? {}) as Values;
  const some = keys === 'all' ? attributes : Object.fromEntries(keys.map((key) => [key, attributes[key]]));
  return {
    ...Object.fromEntries(entries),
    ...(fields.includes('attributes') ? { attributes: some } : {}),
  };
}
