import { isAmong, keptBecause, keyOf, labelOf, obstacleTo } from '#inventory/records/accounts/derived.ts';
import { type Derived, derivedAmong } from '#inventory/records/accounts/derived-facts.ts';
import type { OrgTx } from '#kit/database.ts';
import { conflict } from '#kit/errors.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { LockedCycle } from '../campaigns/queries/locks.ts';
import { derivedSentences } from '../sentences.ts';
import { type Kept, type KeptFor, keptByPeople } from './queries/kept.ts';
import { decisionsAbout, type Note, noteOn, type Revocable } from './queries/revoke.ts';

/**
 * The outcome of a revocation of access that something else gives (D68), unless its source is revoked, too, or the reviewer
 * chose to remove the source: it is refused, or the access stays and the item says why. By silence, the undecided items
 * count as revoked: they are about to be.
 */
export type ForDerived = 'refuse' | 'keep' | 'silence';

export interface Possible extends Revocable {
  /** Whether the access can only go with its account, because its source stays (D68). */
  only_with_account?: true;
}

/**
 * Returns the items that tasks can carry out, with what they remove. Access that a person keeps is not removed together with
 * access that nobody decided, or with a source that is removed only to take other access away (D68).
 */
export async function possible(
  tx: OrgTx,
  cycle: LockedCycle,
  items: Revocable[],
  mode: ForDerived,
): Promise<Possible[]> {
  const facts = await factsAbout(tx, cycle, items, mode);
  const outcomes = items.map((item) => ({ ...outcomeOf(item, facts), id: item.id }));
  const refused = outcomes.find(({ refusal }) => refusal !== undefined);
  if (mode === 'refuse' && refused?.refusal !== undefined) throw conflict(refused.refusal);
  const notes = outcomes.flatMap(({ id, note }) =>
    note === undefined ? [] : [{ id, revoked_at: null, kept_by: null, kept_for: null, ...note }],
  );
  if (notes.length > 0) await noteOn(tx, cycle.id, notes);
  return outcomes.flatMap(({ removed }) => removed ?? []);
}

/** The outcome for an item: the access that its task removes, the note on it, and why a reviewer cannot revoke it. */
interface Outcome {
  removed?: Possible;
  note?: Partial<Note>;
  refusal?: Sentence;
}

interface Facts {
  derived: ReadonlyMap<string, Derived>;
  /** The groups and licenses that are revoked, and those that people have revoked. */
  isRevoked: ReadonlySet<string>;
  isRevokedByPeople: ReadonlySet<string>;
  /** The accounts that are deleted, and those that may have to stay (D66). */
  isDeleted: ReadonlySet<string>;
  mayStay: ReadonlySet<string>;
  keptWith: (subject: Subject) => KeptFor | undefined;
}

async function factsAbout(
  tx: OrgTx,
  cycle: LockedCycle,
  items: Revocable[],
  mode: ForDerived,
): Promise<Facts> {
  const found = await derivedAmong(
    tx,
    items.flatMap((item) => heldOf(item) ?? []),
  );
  const decisions = await decisionsAbout(tx, cycle.id, accountsOf(found));
  const limited = accountsOf([...found, ...items.filter(isBySilence)]);
  const deletes = cycle.settings.revoke_account_by === 'delete';
  const keptWith = keptAmong(await keptByPeople(tx, cycle.id, limited), deletes);
  const revoked = decisions.filter(
    ({ decision }) => decision === 'revoke' || (decision === null && mode === 'silence'),
  );
  const deletions = deletes ? revoked.filter((one) => one.entitlement_id === null) : [];
  const isPossible = (one: Subject & Decided) => !isBySilence(one) || keptWith(one) === undefined;
  return {
    derived: new Map(found.map((one) => [keyOf(one), one])),
    isRevoked: keysOf(revoked),
    // A person decides about the source as well: silence about it does not make the task one of a person (D66).
    isRevokedByPeople: keysOf(revoked.filter((one) => !isBySilence(one))),
    isDeleted: new Set(accountsOf(deletions.filter((one) => isPossible(one) && !one.may_stay))),
    mayStay: new Set(accountsOf(deletions.filter((one) => isPossible(one) && one.may_stay))),
    keptWith,
  };
}

function outcomeOf(item: Revocable, facts: Facts): Outcome {
  const held = heldOf(item);
  const one = held === undefined ? undefined : facts.derived.get(keyOf(held));
  if (one !== undefined && !facts.isDeleted.has(item.account_id)) return outcomeOfDerived(item, one, facts);
  const kept = isBySilence(item) ? facts.keptWith(item) : undefined;
  if (kept !== undefined) return { note: { kept_for: kept } };
  return { removed: item, ...(item.revoked_at !== null && { note: {} }) };
}

function outcomeOfDerived(item: Revocable, one: Derived, facts: Facts): Outcome {
  const { giver, source } = one;
  const isDecided = isAmong(facts.isRevokedByPeople, one);
  const goes = isDecided || item.at_giver || (isBySilence(item) && isAmong(facts.isRevoked, one));
  const kept =
    source === null || isDecided
      ? undefined
      : facts.keptWith({ ...one, entitlement_id: source.external_uuid });
  if (source !== null && goes && kept === undefined)
    return { removed: { ...item, entitlement_id: source.external_uuid }, note: { revoked_at: source } };
  if (facts.mayStay.has(item.account_id)) return { removed: { ...item, only_with_account: true } };
  return {
    note: { kept_by: giver, kept_for: (goes && kept) || null },
    refusal: refusalOf(one, kept),
  };
}

/** Something that an item is about: a group or license of an account, or the account itself. */
type Subject = Pick<Revocable, 'account_id' | 'entitlement_id'>;

/**
 * Returns a function that finds what people keep and an account would lose with something that it holds directly, or when it is
 * deleted.
 */
function keptAmong(kept: readonly Kept[], deletes: boolean): (subject: Subject) => KeptFor | undefined {
  const first = new Map<string, KeptFor>();
  const subjectOf = ({ account_id, entitlement_id }: Subject) => `${account_id} ${entitlement_id ?? ''}`;
  for (const { account_id, source_id, kept_for } of kept)
    for (const entitlement_id of [source_id, null]) {
      const subject = subjectOf({ account_id, entitlement_id });
      if (!first.has(subject) && (entitlement_id !== null || deletes)) first.set(subject, kept_for);
    }
  return (subject) => first.get(subjectOf(subject));
}

type Decided = Pick<Revocable, 'decided_by'>;

const isBySilence = ({ decided_by }: Decided) => decided_by === null;

const accountsOf = (of: readonly { account_id: string }[]) => [
  ...new Set(of.map(({ account_id }) => account_id)),
];

const keysOf = (items: readonly Subject[]) => new Set(items.flatMap((one) => heldOf(one) ?? []).map(keyOf));

const heldOf = ({ account_id, entitlement_id }: Subject) =>
  entitlement_id === null ? undefined : { account_id, entitlement_id };

function refusalOf(one: Derived, kept: KeptFor | undefined): Sentence {
  const { source } = one;
  if (source === null) return keptBecause(one);
  if (kept === undefined) return derivedSentences.derived_revoke_source({ kept: keptBecause(one) });
  const values = { obstacle: obstacleTo(one), email: kept.by.email, name: labelOf(kept) };
  return kept.external_uuid === source.external_uuid
    ? derivedSentences.derived_source_kept(values)
    : derivedSentences.derived_kept_with_source({ ...values, source: labelOf(source) });
}
