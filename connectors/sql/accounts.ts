import {
  type AccountRecord,
  type Attributes,
  counted,
  Failure,
  isInstant,
  type ListContext,
  type Page,
  type Ref,
} from '@gatehouse/connector';
import type { Row } from './drivers/driver.ts';
import { asText, type Compiled, type Inputs, isTrue, requireColumns, textOf } from './expressions.ts';
import { type Hidden, reportHidden } from './hidden.ts';
import { type Holdings, readHoldings } from './holdings.ts';
import { readQuery } from './paging.ts';
import type { Plan, TypePlan } from './plan.ts';
import { keyOf } from './spool.ts';
import type { Reader } from './statements.ts';

const STATUS: Record<string, AccountRecord['status']> = {
  active: 'active',
  enabled: 'active',
  true: 'active',
  '1': 'active',
  disabled: 'inactive',
  inactive: 'inactive',
  deleted: 'inactive',
  false: 'inactive',
  '0': 'inactive',
  t: 'active',
  f: 'inactive',
  yes: 'active',
  no: 'inactive',
  suspended: 'suspended',
  locked: 'suspended',
};

/**
 * Lists the accounts of a type with their groups, also those that they have through other groups. `hidden` has what the lists of the
 * types leave out.
 */
export async function* listAccounts(
  reader: Reader,
  plan: Plan,
  type: TypePlan,
  { skip, log, signal, unseen }: Pick<ListContext, 'skip' | 'log' | 'signal' | 'unseen'>,
  hidden: Hidden,
): AsyncGenerator<Page<AccountRecord>> {
  const holdings = await readAllHoldings(reader, plan, type, log);
  try {
    reportHidden({ hidden, plan, type, holdings }, unseen);
    let number = 0;
    for await (const rows of readQuery(reader, type.list)) {
      signal.throwIfAborted();
      if (number === 0 && rows[0]) requireColumns(reader.document, rows[0], Object.values(type.map));
      const records: AccountRecord[] = [];
      for (const cols of rows) {
        number++;
        try {
          const record = accountOf(type, cols, refuseStatus);
          records.push({ ...record, ...held(plan, type, holdings, record.id) });
        } catch (error) {
          skip(`row ${number}`, (error as Error).message);
        }
      }
      yield { records };
    }
  } finally {
    holdings.spool.close();
  }
}

/** Without a status, the account would be active. */
export function refuseStatus(status: string): never {
  throw new Failure(`the status "${status}" is unknown; map it to active, inactive or suspended`);
}

/** Throws if a grant cannot be read: an account without it would lose a membership. */
export async function readAllHoldings(
  reader: Reader,
  plan: Plan,
  type: TypePlan,
  log: ListContext['log'],
): Promise<Holdings> {
  let count = 0;
  let first = '';
  const holdings = await readHoldings(reader, plan, type, {
    skip(id, why) {
      count++;
      first ||= `${id}: ${why}`;
    },
    unknown(slug, names) {
      const [example] = names;
      if (example === undefined) return;
      log.warn(
        `grants name ${names.size} ${slug} that the list does not have, for example "${example}"; these grants are left out`,
      );
    },
  });
  if (count === 0) return holdings;
  holdings.spool.close();
  throw new Failure(
    `${counted(count, 'group or grant', 'groups or grants')} cannot be read, for example ${first}`,
  );
}

/** Maps a row of an account. */
export function accountOf(
  { map, lastLogin, mfaEnabled, attributes }: TypePlan,
  cols: Row,
  unknown: (status: string) => void = () => {},
): AccountRecord {
  const inputs = { cols };
  const id = textOf(map.id, inputs);
  if (id === '') throw new Failure('its id is empty');
  const email = textOf(map.email, inputs) || null;
  const said = textOf(map.status, inputs).toLowerCase();
  const status = STATUS[said];
  if (said !== '' && status === undefined) unknown(said);
  return {
    id,
    email,
    username: textOf(map.login, inputs) || (email ? null : id),
    first_name: textOf(map.firstName, inputs) || null,
    last_name: textOf(map.lastName, inputs) || null,
    display_name: textOf(map.name, inputs) || null,
    ...(status ? { status } : {}),
    last_sign_in_at: lastSignIn(lastLogin, inputs),
    mfa_enabled: flagOf(mfaEnabled, inputs),
    attributes: attributesOf(attributes, inputs),
  };
}

/** A value that is neither true nor false is left out. */
const flagOf = (expression: Compiled | undefined, inputs: Inputs): boolean | undefined =>
  detail(() => (textOf(expression, inputs) === '' ? undefined : isTrue(expression, inputs)));

/** A text that is not a time is left out: nobody should lose an account over it. */
function lastSignIn(lastLogin: Compiled | undefined, inputs: Inputs): string | undefined {
  const text = detail(() => textOf(lastLogin, inputs));
  return isInstant(text) ? text : undefined;
}

const MOST_ATTRIBUTES = 50;
const LONGEST_ATTRIBUTE = 512;

function attributesOf(expressions: TypePlan['attributes'], inputs: Inputs): Attributes {
  const found = expressions.flatMap(([name, expression]): [string, Attributes[string]][] => {
    const value = detail(() => expression.value(inputs));
    const shown = typeof value === 'boolean' || Number.isFinite(value) ? (value as number) : asText(value);
    const isShown = name !== '' && name.length <= 100 && String(shown).length <= LONGEST_ATTRIBUTE;
    return isShown && shown !== '' ? [[name, shown]] : [];
  });
  return Object.fromEntries(found.slice(0, MOST_ATTRIBUTES));
}

/** The value of an expression, or undefined if the row has no value for it. */
function detail<T>(value: () => T): T | undefined {
  try {
    return value();
  } catch {
    return undefined;
  }
}

export function held(
  plan: Plan,
  type: TypePlan,
  { groups, spool }: Holdings,
  account: string,
): Pick<AccountRecord, 'memberships' | 'assignments'> {
  const memberships: Record<string, Ref[]> = {};
  const assignments: Record<string, Ref[]> = {};
  for (const { slug, kind } of plan.types) {
    if (kind === 'group') memberships[slug] = [];
    if (kind === 'license') assignments[slug] = [];
  }
  for (const group of spool.of(type.slug, account)) {
    const list = memberships[group.slug] ?? assignments[group.slug];
    list?.push({ id: group.id, name: groups.get(keyOf(group))?.record.name });
  }
  return { memberships, assignments };
}
