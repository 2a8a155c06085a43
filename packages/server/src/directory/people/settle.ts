import { DomainError } from '#kit/errors.ts';
import { codeAndValues } from '#kit/http.ts';
import type { CallTx } from '#kit/identity.ts';
import { filterInTurns, mapInTurns, pacer } from '#kit/pacer.ts';
import type { Sentence } from '#kit/sentences.ts';
import {
  changesOf,
  contradictionIn,
  type Draft,
  draftChange,
  earlyDayIn,
  excessIn,
  type Profile,
} from './person.ts';
import { findByEmails } from './queries/people.ts';
import { refusalsOf } from './save.ts';
import { personRefusals } from './sentences.ts';

/** An attribute that a client sent and that was left as it was, and why. */
export interface Left {
  /** The name that changes use, such as `email` or `attributes.department`. */
  attribute: string;
  reason: Sentence;
}

export const ignoredField = ({ attribute, reason }: Left) => ({
  attribute,
  reason: reason.text,
  ...codeAndValues(reason),
});
export type IgnoredField = ReturnType<typeof ignoredField>;

/** A change that a client asks for. */
export interface Wish {
  draft: Draft;
  /** Whether it ends a person's access. Then nothing else that it changes can veto it (D79). */
  ends: boolean;
}

/** The part of a wish that can be applied, the rest, and why nothing can be applied, if so. */
export interface Settled extends Wish {
  left: Left[];
  refusal: DomainError | undefined;
}

interface Rules {
  by: 'caller' | 'directory';
  /** A field that is left as it was in every wish if it alone is refused. */
  leaves?: 'manager';
}

/**
 * Decides what of the wishes of clients about people is applied (D79), for every door through which they come. A wish is applied whole
 * or refused. If it ends access, the end is applied, and then each other change by itself, as far as it can be. The caller
 * must hold lockPeople. Returns the results in the order of the wishes.
 */
export async function settle(tx: CallTx, wishes: readonly Wish[], rules: Rules): Promise<Settled[]> {
  const settled: Settled[] = wishes.map((wish) => ({ ...wish, left: [], refusal: undefined }));
  const refuse = (some: readonly Settled[]) => refuseEach(tx, some, rules.by);
  await refuse(settled);
  const isRefused = ({ refusal }: Settled) => refusal !== undefined;
  const refused = await filterInTurns(settled, isRefused);
  if (refused.length === 0) return settled;
  await leaveReference(refused, refuse, rules);
  const ending = refused.filter((one) => isRefused(one) && one.ends);
  if (ending.length > 0) {
    await applyEach(ending, refuse);
    // Together they may still contradict each other, for example by a loop of managers.
    await refuse(settled);
    const contradicting = ending.filter(isRefused);
    for (const one of contradicting) leaveAll(one);
    // Others may have been refused only because of what is left now.
    if (contradicting.length > 0) await refuse(settled);
  }
  return settled;
}

type Refuse = (some: readonly Settled[]) => Promise<void>;

/** Sets why each draft is refused. */
async function refuseEach(tx: CallTx, all: readonly Settled[], by: Rules['by']): Promise<void> {
  const some: Settled[] = [];
  for (const one of all) {
    const field = unstorableIn(one.draft);
    if (field === undefined) some.push(one);
    else one.refusal = personRefusals.person_field_nul({ field });
  }
  const drafts = await mapInTurns(some, ({ draft }) => draft);
  const refusals = await refusalsOf(tx, drafts, by);
  // For the others, the unique index decides.
  const ending = await filterInTurns(some, ({ ends }) => ends);
  for (const [id, taken] of await takenEmails(
    tx,
    ending.map(({ draft }) => draft),
  ))
    refusals.set(id, taken);
  const pace = pacer();
  for (const one of some) {
    const contradiction = contradictionIn(one.draft.after) ?? earlyDayIn(one.draft) ?? excessIn(one.draft);
    one.refusal =
      contradiction === undefined
        ? refusals.get(one.draft.after.id)
        : new DomainError('invalid', contradiction);
    await pace();
  }
}

/** Returns a changed field that contains NUL, which no database stores. */
const unstorableIn = (draft: Draft): string | undefined =>
  changesOf(draft)
    .find(({ field, to }) => /\\u0000/.test(JSON.stringify([field, to])))
    ?.field.replaceAll('\0', '');

/** Refuses emails that somebody else has, by the id of whoever should get them. */
async function takenEmails(tx: CallTx, drafts: readonly Draft[]): Promise<[string, DomainError][]> {
  const renamed = drafts.filter(({ before, after }) => before !== undefined && before.email !== after.email);
  if (renamed.length === 0) return [];
  const holders = await findByEmails(
    tx,
    renamed.map(({ after }) => after.email),
  );
  return renamed.flatMap(({ after: { id, email } }, index) => {
    const holder = holders[index]?.id ?? id;
    return holder === id ? [] : [[id, personRefusals.person_email_taken({ email })]];
  });
}

/** Leaves the reference of drafts that are refused because of it alone. */
async function leaveReference(refused: Settled[], refuse: Refuse, { leaves }: Rules): Promise<void> {
  if (leaves === undefined) return;
  const without = refused.flatMap((one) => {
    const { draft } = one;
    const former = draft.before?.[leaves] ?? null;
    if (draft.after[leaves] === former) return [];
    const without = { ...draft, after: { ...draft.after, [leaves]: former } };
    return [{ ...one, one, draft: without }];
  });
  if (without.length === 0) return;
  await refuse(without);
  for (const { one, draft, refusal } of without) {
    if (refusal === undefined) {
      one.left.push({ attribute: leaves, reason: reasonOf(one) });
      one.draft = draft;
    }
    one.refusal = refusal;
  }
}

/** Applies the end of access, and then the other changes one by one: in each round, the next one of every draft. */
async function applyEach(ending: Settled[], refuse: Refuse): Promise<void> {
  const open = ending.map((one) => {
    const { before, after } = one.draft;
    const fields = changesOf(one.draft).map(({ field }) => field);
    one.draft = draftChange(before as Profile, { status: after.status });
    return { one, wanted: after, fields: fields.filter((field) => field !== 'status') };
  });
  await refuse(ending);
  const going = open.filter(({ one }) => one.refusal === undefined);
  for (let round = 0; going.some(({ fields }) => round < fields.length); round++) {
    const tried = going.flatMap(({ one, wanted, fields }) => {
      const field = fields[round];
      if (field === undefined) return [];
      const after = withField(one.draft.after, wanted, field);
      return [{ ...one, one, field, draft: { before: one.draft.before, after } }];
    });
    await refuse(tried);
    for (const { one, field, draft, refusal } of tried) {
      if (refusal === undefined) one.draft = draft;
      else one.left.push({ attribute: field, reason: refusal.sentence });
    }
  }
}

const reasonOf = ({ refusal }: Settled) => (refusal as DomainError).sentence;

/** Applies nothing but the end of access. */
function leaveAll(one: Settled) {
  const { before, after } = one.draft;
  const reason = reasonOf(one);
  const others = changesOf(one.draft).filter(({ field }) => field !== 'status');
  one.left.push(...others.map(({ field }) => ({ attribute: field, reason })));
  one.draft = draftChange(before as Profile, { status: after.status });
  if (others.length > 0) one.refusal = undefined;
}

const ATTRIBUTE = 'attributes.';

/** Returns a profile with one field, or one attribute, of another. */
function withField(profile: Profile, wanted: Profile, field: string): Profile {
  if (!field.startsWith(ATTRIBUTE)) return { ...profile, [field]: wanted[field as keyof Profile] };
  const name = field.slice(ATTRIBUTE.length);
  const others = Object.entries(profile.attributes).filter(([one]) => one !== name);
  const own = Object.entries(wanted.attributes).filter(([one]) => one === name);
  return { ...profile, attributes: Object.fromEntries([...others, ...own]) };
}

/** Settles one wish. Throws why it is refused. */
export async function settleOne(
  tx: CallTx,
  wish: Wish,
  rules: Rules,
): Promise<{ draft: Draft; left: Left[] }> {
  const [settled] = await settle(tx, [wish], rules);
  const { draft, left, refusal } = settled as Settled;
  if (refusal !== undefined) throw refusal;
  return { draft, left };
}
