import type { OrgTx } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { CallTx } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { changesOf, draftChange, type Person } from './person.ts';
import * as queries from './queries/people.ts';
import { save } from './save.ts';
import { personRefusals } from './sentences.ts';
import { settle } from './settle.ts';

/** Takes the locks of a change of people, and returns a person who can leave. */
export async function lockLeaver(tx: OrgTx, id: string): Promise<Person> {
  await queries.lockPeople(tx);
  const person = await queries.findPerson(tx, id);
  if (person === undefined) throw notFound('Person');
  if (person.merged_into != null) throw personRefusals.person_merged_change_other({ email: person.email });
  return person;
}

interface Departure {
  /** The next manager of the reports. Null: they keep this one. */
  managerId: string | null;
  reason: string | null;
}

/**
 * Deactivates a person, and gives their reports another manager as far as these can be changed: not those of an identity provider, and none
 * whom it would make their own manager. The next manager gets the manager of the person. The caller runs the hooks for the events and
 * records them last.
 */
export async function depart(
  tx: CallTx,
  person: Person,
  { managerId, reason }: Departure,
): Promise<{ found: number; moved: number; events: NewEvent[] }> {
  const reports = (await queries.reportsOf(tx, person.id)).filter(({ merged_into }) => merged_into == null);
  const handedOver = managerId === null ? [] : reports;
  const wishes = [
    { draft: draftChange(person, { status: 'deactivated' }), ends: person.status === 'active' },
    ...handedOver.map((report) => {
      const manager = report.id === managerId ? person.manager : managerId;
      return { draft: draftChange(report, { manager }), ends: false };
    }),
  ];
  const [own, ...settled] = await settle(tx, wishes, { by: 'caller' });
  if (own?.refusal !== undefined) throw own.refusal;
  const drafts = settled.flatMap(({ draft, refusal }) =>
    refusal === undefined && changesOf(draft).length > 0 ? [draft] : [],
  );
  const events = await save(tx, tx.cause, own === undefined ? drafts : [own.draft, ...drafts], reason);
  return { found: reports.length, moved: drafts.length, events };
}
