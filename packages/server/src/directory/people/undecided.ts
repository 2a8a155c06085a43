import { Type } from 'typebox';
import type { Reason, Undecided } from '#kit/cel-undecided.ts';
import { Component, Nullable } from '#kit/schemas.ts';
import type { PersonName } from './facts.ts';
import { PersonReference } from './reference.ts';

/** The people about whom a condition decides nothing (D65), as the API shows them. */
export const UndecidedView = Component('Undecided', {
  count: Type.Integer({
    description:
      'The people for whom the condition is neither true nor false, such as people without an attribute that it compares. It acts on none of them. Accounts without a person count, too.',
  }),
  people: Type.Array(PersonReference, { description: 'At most 20 of them.' }),
  reasons: Type.Array(
    Component('UndecidedReason', {
      code: Type.Enum(['missing', 'type', 'cost'], {
        description:
          'missing: the field has no value. type: its value has another type than the condition expects. cost: the condition exceeds the cost limit.',
      }),
      field: Nullable(Type.String({ description: 'The field as the condition names it.' })),
      count: Type.Integer(),
      message: Type.String(),
    }),
    { description: 'At most 20 reasons, the most frequent first. A person can have several.' },
  ),
});

interface CountedReason extends Reason {
  count: number;
}

/** Counts as they are stored: with the ids of people, whose names may change. */
export interface UndecidedCounts {
  count: number;
  people: string[];
  reasons: CountedReason[];
}

/** Counts as they are read, with the people who still exist. */
export interface UndecidedPeople {
  count: number;
  people: PersonName[];
  reasons: CountedReason[];
}

export const MOST_SHOWN = 20;
export const NOBODY: UndecidedPeople = { count: 0, people: [], reasons: [] };

/** Collects the subjects of a condition that it does not decide. A person with several accounts counts once. */
export class UndecidedSubjects {
  readonly #seen = new Set<string>();
  readonly #people: PersonName[] = [];
  readonly #reasons = new Map<string, CountedReason>();

  /** `id` is that of the person, or of an account without one. */
  add(id: string, person: PersonName | null, { reasons }: Undecided) {
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    if (person !== null && this.#people.length < MOST_SHOWN) this.#people.push(person);
    for (const reason of reasons) {
      const key = `${reason.code} ${reason.field}`;
      const before = this.#reasons.get(key);
      this.#reasons.set(key, { ...reason, count: (before?.count ?? 0) + 1 });
    }
  }

  found(): UndecidedPeople {
    const reasons = [...this.#reasons.values()].sort((one, other) => other.count - one.count);
    return { count: this.#seen.size, people: this.#people, reasons: reasons.slice(0, MOST_SHOWN) };
  }
}

export const countsOf = ({ people, ...counts }: UndecidedPeople): UndecidedCounts => ({
  ...counts,
  people: people.map(({ id }) => id),
});

export const undecidedView = ({ count, people, reasons }: UndecidedPeople) => ({
  count,
  people: people.map(({ id, email, first_name, last_name }) => ({
    external_uuid: id,
    email,
    first_name,
    last_name,
  })),
  reasons: reasons.map((reason) => ({ ...reason, message: messageOf(reason) })),
});

/** Returns a sentence about a reason, for people who read the API. */
export function messageOf({ code, field }: Reason): string {
  if (code === 'cost') return 'The condition exceeds the cost limit.';
  const subject = field ?? 'A part of the condition';
  return code === 'missing' ? `${subject} has no value.` : `${subject} has a value of another type.`;
}
