import type { ResourceKind, TypeEntry } from './define.ts';
import { Exit, Failure } from './errors.ts';
import { type Unseen, type UnseenRule, unseenRules } from './unseen.ts';

/** An entry as the service takes it. */
export type UnseenEntry = { slug: string; id: string | null; rule: UnseenRule; count: number };

/** A sum of what a run did not see of a resource type by one rule: records of the type, and members of how many of its groups or licenses. */
export type UnseenSum = {
  slug: string;
  type: ResourceKind;
  rule: UnseenRule;
  records: number;
  members: number;
  of: number;
};

/** The most entries that the service takes (protocol 4.6). */
const MOST_UNSEEN = 10_000;

/** Throws unless an entry is one that the service takes: a connector must not lose what it reports. A count of 0 deletes an entry. */
export function checkedUnseen(types: readonly TypeEntry[], { slug, id, rule, count }: Unseen): UnseenEntry {
  const kind = types.find((entry) => entry.slug === slug)?.kind;
  const wrong = (what: string) => new TypeError(`the listing reported something unseen with ${what}`);
  if (kind === undefined) throw wrong(`the unknown slug '${slug}'`);
  if (!unseenRules.includes(rule)) throw wrong(`the unknown rule '${rule}'`);
  if (!Number.isInteger(count) || count < 0) throw wrong(`the count ${count}, which is not a whole number`);
  const ofOne = id !== undefined && id !== null;
  if (ofOne && kind === 'account') throw wrong(`an id of ${slug}, which has no members`);
  if (ofOne && (typeof id !== 'string' || id === '' || id.length > 512))
    throw wrong('an id that is not a text of 1 to 512 characters');
  return { slug, id: ofOne ? id : null, rule, count };
}

/** The part of the state that keeps what a run has not seen. */
type Kept = { countUnseen(): number; eachUnseen(): Iterable<UnseenEntry>; shortUnseen(): UnseenEntry[] };

/**
 * Returns the entries for the service. If there are too many, those that only count are summed for each resource type and rule. Throws
 * if too many groups have members that cannot be read: without their entries, these members would be removed.
 */
export function entriesForService(state: Kept): UnseenEntry[] {
  if (state.countUnseen() <= MOST_UNSEEN) return [...state.eachUnseen()];
  const entries = state.shortUnseen();
  if (entries.length <= MOST_UNSEEN) return entries;
  throw new Failure(
    `more than ${MOST_UNSEEN} groups have members that cannot be read, so nothing was removed; let the connector read them, or leave these groups out by its settings`,
    Exit.abandoned,
  );
}

const RULES: Record<UnseenRule, string> = {
  range: 'outside the range of the settings',
  filter: 'outside the filter of the settings',
  class: 'of another kind',
  foreign: 'of another system',
  computed: 'that the system computes',
  unreadable: 'that cannot be read',
};

/** Returns what was not seen in words, such as "3 user records of another kind, 12 members of 2 team that cannot be read". */
export const unseenWords = (sums: readonly UnseenSum[]): string =>
  sums
    .flatMap(({ slug, type, rule, records, members, of }) => [
      ...(records > 0 ? [`${records} ${slug} ${records === 1 ? 'record' : 'records'} ${RULES[rule]}`] : []),
      ...(members > 0 ? [`${members} ${memberWord(type, members)} of ${of} ${slug} ${RULES[rule]}`] : []),
    ])
    .join(', ');

function memberWord(type: ResourceKind, count: number): string {
  const word = type === 'license' ? 'holder' : 'member';
  return count === 1 ? word : `${word}s`;
}

/** Sums entries by resource type and rule. */
export function sumsOf(types: readonly TypeEntry[], entries: Iterable<UnseenEntry>): UnseenSum[] {
  const sums = new Map<string, UnseenSum>();
  for (const { slug, id, rule, count } of entries) {
    const type = types.find((entry) => entry.slug === slug)?.kind ?? 'group';
    const key = `${slug}\n${rule}`;
    const sum = sums.get(key) ?? { slug, type, rule, records: 0, members: 0, of: 0 };
    sums.set(key, sum);
    if (id === null) sum.records += count;
    else {
      sum.members += count;
      sum.of++;
    }
  }
  return [...sums.values()];
}
