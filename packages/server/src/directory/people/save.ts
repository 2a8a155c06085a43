import { hookPoint, type OrgTx } from '#kit/database.ts';
import { type DomainError, invalidInput, notFound } from '#kit/errors.ts';
import { type CallTx, type Cause, mayHaveEmail, type Principal, requireStepUp } from '#kit/identity.ts';
import { type Issue, issue } from '#kit/issues.ts';
import { filterInTurns, mapInTurns, pacer } from '#kit/pacer.ts';
import { formerlyPrivileged } from '#log/events/facts.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { saveLeaves } from './leaves.ts';
import { emailSkeleton, isAscii, lookalikesOf } from './lookalikes.ts';
import { changesOf, type Draft, type Profile } from './person.ts';
import { standings } from './queries/groups.ts';
import * as queries from './queries/people.ts';
import { refreshShared, valuesOf } from './queries/shared-values.ts';
import { ownedFields } from './queries/sources.ts';
import { personRefusals } from './sentences.ts';
import { takenUserNames } from './user-names.ts';

/**
 * Reacts to changes of people in the transaction that makes them, before their events are recorded: sessions end,
 * accounts link, tickets are canceled. A person who is being deleted still exists, locked and deactivated. Returns the
 * events of its own changes, if it records any.
 */
export type PeopleHook = (
  tx: CallTx,
  events: readonly NewEvent[],
  // biome-ignore lint/suspicious/noConfusingVoidType: most hooks record nothing.
) => Promise<readonly NewEvent[] | void>;

export const peopleHooks = hookPoint<PeopleHook>();

/**
 * Removes every way to sign in of a person whose email passed to somebody else, or may have (D63). Returns its events, which the
 * caller records last.
 */
export type ForgetSignIn = (
  tx: CallTx,
  person: { id: string; email: string },
) => Promise<readonly NewEvent[]>;

export const forgetSignInHooks = hookPoint<ForgetSignIn>();

/** Runs the hooks. */
export async function forgetSignInOf(tx: CallTx, person: { id: string; email: string }): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const hook of forgetSignInHooks.of(tx)) events.push(...(await hook(tx, person)));
  return events;
}

const EVENTS_AT_ONCE = 5000;

/** Returns why drafts must be refused, by the person's id. The caller must hold lockPeople. */
export async function refusalsOf(
  tx: CallTx,
  drafts: Draft[],
  by: 'caller' | 'directory' | 'merge' = 'caller',
): Promise<Map<string, DomainError>> {
  const lookalikes = await lookalikesOf(tx, drafts);
  const owned = by === 'caller' ? await changesOfOwned(tx, drafts) : [];
  const refusals = new Map([
    ...lookalikes,
    ...(await invalidEmails(drafts)),
    ...owned,
    ...(await emailsOfFormerlyPrivileged(tx, drafts)),
    ...(await takenUserNames(tx, drafts)),
  ]);
  const taken = await succeededByNow(tx, drafts);
  const pace = pacer();
  for (const draft of drafts) {
    await pace();
    if (draft.before?.merged_into != null && changesOf(draft).length > 0) {
      refusals.set(draft.after.id, personRefusals.person_merged_change_other({ email: draft.before.email }));
    } else if (taken.has(draft.after.id)) {
      refusals.set(draft.after.id, personRefusals.email_belongs_to_another({ email: draft.after.email }));
    } else if (touchesOwner(draft) && tx.principal.role !== 'owner') {
      refusals.set(draft.after.id, personRefusals.owner_makes_owner());
    } else if (givesPrivilegedSignIn(draft) || takesRole(draft)) {
      const refusal = refusalOfPower(tx.principal, draft);
      if (refusal !== undefined) refusals.set(draft.after.id, refusal);
    }
  }
  return new Map([...refusals, ...(await wrongManagers(tx, drafts))]);
}

/** Returns the succeeded people who would be active again while somebody else has their email (D63). */
async function succeededByNow(tx: OrgTx, drafts: Draft[]): Promise<Set<string>> {
  const back = drafts.filter(
    ({ before, after }) => before?.succeeded_by != null && after.status === 'active',
  );
  if (back.length === 0) return new Set();
  const holders = await queries.findByEmails(
    tx,
    back.map(({ after }) => after.email),
  );
  const isHeld = (id: string, holder: string | null | undefined) => holder != null && holder !== id;
  return new Set(back.flatMap(({ after: { id } }, index) => (isHeld(id, holders[index]?.id) ? [id] : [])));
}

type Refusal = [personId: string, why: DomainError];

/** Refuses emails that are new for their people and not valid. */
async function invalidEmails(drafts: Draft[]): Promise<Refusal[]> {
  const invalid = await filterInTurns(
    drafts,
    ({ before, after }) => !mayHaveEmail(after.email, before?.email),
  );
  return invalid.map(({ after }) => {
    const issues = [INVALID_EMAIL];
    return [after.id, invalidInput(issues)];
  });
}

export const INVALID_EMAIL: Issue = issue('email', 'string_format', 'email');

/** Refuses managers who do not exist, and loops of managers. */
async function wrongManagers(tx: OrgTx, drafts: Draft[]): Promise<Refusal[]> {
  const moved = drafts.filter(
    ({ before, after }) => after.manager !== null && after.manager !== before?.manager,
  );
  if (moved.length === 0) return [];
  const managers = [...new Set(moved.map(({ after }) => after.manager as string))];
  const managerOf = new Map(
    (await queries.managersFrom(tx, managers)).map(({ id, manager }) => [id, manager]),
  );
  for (const { after } of drafts) managerOf.set(after.id, after.manager);
  const unknown = moved.filter(({ after }) => !managerOf.has(after.manager as string));
  return [
    ...unknown.map(({ after }): Refusal => [after.id, notFound('Manager')]),
    ...[...peopleInLoops(managerOf)].map((id): Refusal => [id, personRefusals.manager_loop()]),
  ];
}

/**
 * Refuses changes of fields that an identity provider owns, or of a role that groups give (D50). Deactivating a person is always
 * possible. A provider does not own the email and the status of a person with a privileged role, which it may not change.
 */
async function changesOfOwned(tx: OrgTx, drafts: Draft[]): Promise<Refusal[]> {
  const known = await filterInTurns(drafts, ({ before }) => before !== undefined);
  if (known.length === 0) return [];
  const refusals: Refusal[] = [];
  const owned = await ownedFields(
    tx,
    known.map(({ after }) => after.id),
  );
  for (const draft of known) {
    const { before, after } = draft;
    const fields = owned.get(after.id);
    if (fields === undefined) continue;
    const isPrivileged = before !== undefined && before.role !== 'member';
    const refused = changesOf(draft)
      .map(({ field }) => field)
      .filter((field) => fields.includes(field))
      .filter((field) => !(isPrivileged && (field === 'email' || field === 'status')))
      .filter((field) => !(field === 'status' && after.status === 'deactivated'));
    if (refused.length > 0)
      refusals.push([after.id, personRefusals.person_fields_managed({ fields: refused })]);
  }
  const given = known.filter(({ before, after }) => before?.role !== after.role && after.role !== 'owner');
  if (given.length === 0) return refusals;
  const roles = await standings(
    tx,
    given.map(({ after }) => after.id),
  );
  for (const { after } of given) {
    const role = roles.get(after.id)?.role ?? null;
    if (role !== null && role !== after.role)
      refusals.push([after.id, personRefusals.role_given_by_groups({ role })]);
  }
  return refusals;
}

/**
 * Refuses that anybody but a signed-in owner changes the email of a person who had a privileged role. An identity provider, or an
 * administrator with a key of one, could otherwise take the role by a group, change the email, and give the role back to another
 * address (D70).
 */
async function emailsOfFormerlyPrivileged(tx: CallTx, drafts: Draft[]): Promise<Refusal[]> {
  if (tx.principal.role === 'owner' && tx.principal.keyId === null) return [];
  const renamed = drafts.filter(({ before, after }) => before !== undefined && before.email !== after.email);
  if (renamed.length === 0) return [];
  const ids = renamed.map(({ after }) => after.id);
  return [...(await formerlyPrivileged(tx, ids))].map((id) => [
    id,
    personRefusals.owner_changes_former_email(),
  ]);
}

/** Writes the drafts that change something and returns their events. The caller must hold lockPeople. */
export async function save(
  tx: OrgTx,
  cause: Cause,
  drafts: Draft[],
  reason: string | null = null,
): Promise<NewEvent[]> {
  const changed = await filterInTurns(
    drafts,
    (draft) => draft.before === undefined || changesOf(draft).length > 0,
  );
  if (changed.length === 0) return [];
  const formerOwners = changed.flatMap(({ before, after }) =>
    isOwner(before) && !isOwner(after) ? [after.id] : [],
  );
  await requireRemainingOwner(tx, formerOwners);
  // One statement for all, since a person's manager may be among them.
  const people = await mapInTurns(changed, ({ after }) =>
    JSON.stringify({ ...after, email_skeleton: isAscii(after.email) ? null : emailSkeleton(after.email) }),
  );
  const added = changed.flatMap(({ before, after }) => (before === undefined ? [after.id] : []));
  const renamed = (await filterInTurns(changed, changesValues)).map(({ after }) => after.id);
  const former = await valuesOf(tx, renamed);
  await queries.upsertPeople(tx, people);
  await refreshShared(tx, [...added, ...renamed], former);
  const events = (await mapInTurns(changed, (draft) => eventsOf(cause, draft, reason))).flat();
  return events.concat(await saveLeaves(tx, cause, changed));
}

/** Whether a known person may become a possible duplicate by a change, or no longer be one. */
const changesValues = (draft: Draft) =>
  draft.before?.succeeded_by != null ||
  changesOf(draft).some(
    ({ field }) => ['email', 'first_name', 'last_name'].includes(field) || field.startsWith('attributes.'),
  );

/** Throws 409 if the organization would have no active owner left. */
export async function requireRemainingOwner(tx: OrgTx, leaving: string[]): Promise<void> {
  if (leaving.length === 0) return;
  const owners = await queries.activeOwners(tx);
  if (owners.every((id) => leaving.includes(id))) {
    throw personRefusals.last_owner();
  }
}

/** Runs the hooks. Returns `events` and those of the hooks, which the caller records last. */
export async function runHooks(tx: CallTx, events: readonly NewEvent[]): Promise<readonly NewEvent[]> {
  if (events.length === 0) return events;
  const caused: NewEvent[] = [];
  for (const hook of peopleHooks.of(tx))
    for (const event of (await hook(tx, events)) ?? []) caused.push(event);
  return events.concat(caused);
}

/** Records the events in slices, since an import may have hundreds of thousands. Must be the transaction's last step. */
export async function recordPeopleEvents(tx: OrgTx, events: readonly NewEvent[]): Promise<void> {
  for (let start = 0; start < events.length; start += EVENTS_AT_ONCE) {
    await recordEvents(tx, events.slice(start, start + EVENTS_AT_ONCE));
  }
}

export const aboutPerson = (profile: Profile) => ({
  user_id: profile.id,
  email: profile.email,
  username: profile.username,
  name: `${profile.first_name} ${profile.last_name}`.trim(),
});

function eventsOf({ actor, source }: Cause, draft: Draft, reason: string | null): NewEvent[] {
  const { before, after } = draft;
  const about = { actor, subject: { type: 'platform_user' as const, uuid: after.id }, source };
  const person = aboutPerson(after);
  const events: NewEvent[] = [];
  if (before === undefined) {
    const { identity_type, domain_type, manager, role } = after;
    events.push({
      type: 'user.created',
      ...about,
      payload: { ...person, identity_type, domain_type, manager_id: manager, role },
    });
  } else {
    const changes = changesOf(draft).filter(({ field }) => field !== 'identity_type' && field !== 'status');
    if (changes.length > 0) events.push({ type: 'user.updated', ...about, payload: { ...person, changes } });
    if (before.role !== after.role) {
      events.push({
        type: 'role.changed',
        ...about,
        payload: { ...person, from: before.role, to: after.role },
      });
    }
    if (before.identity_type !== after.identity_type) {
      events.push({
        type: 'user.identity_type.changed',
        ...about,
        payload: { ...person, from: before.identity_type, to: after.identity_type },
      });
    }
  }
  if ((before?.status ?? 'active') !== after.status) {
    const type = after.status === 'active' ? 'user.reactivated' : 'user.deactivated';
    events.push({ type, ...about, payload: { ...person, reason } });
  }
  return events;
}

const isOwner = (profile: Profile | undefined) => profile?.role === 'owner' && profile.status === 'active';

const touchesOwner = (draft: Draft) =>
  draft.before?.role === 'owner' ? changesOf(draft).length > 0 : draft.after.role === 'owner';

/** Returns why the caller may not make a draft that lets someone sign in with a privileged role, or that takes such a role. */
function refusalOfPower(principal: Principal, draft: Draft): DomainError | undefined {
  if (principal.keyId !== null && givesPrivilegedSignIn(draft))
    return personRefusals.keys_give_no_privilege();
  const { before } = draft;
  if (before !== undefined && before.role !== 'member' && principal.role !== 'owner')
    return personRefusals.owner_changes_privileged();
  try {
    requireStepUp(principal);
  } catch (error) {
    return error as DomainError;
  }
  return undefined;
}

/**
 * Whether a draft lets someone sign in with a privileged role: it gives the role, or it hands a person who has one to
 * another address or reactivates them. With it, an API key could get the rights that only signed-in people have.
 */
const givesPrivilegedSignIn = ({ before, after }: Draft) =>
  after.role !== 'member' &&
  (before?.role !== after.role ||
    before.email !== after.email ||
    (before.status !== 'active' && after.status === 'active'));

/**
 * Whether a draft takes a privileged role from a person. A caller who could do that could then manage how the person signs
 * in, and assign the role again.
 */
const takesRole = ({ before, after }: Draft) =>
  before !== undefined && before.role !== 'member' && before.role !== after.role;

/** Returns everyone who is above themselves in the given management chains. */
function peopleInLoops(managerOf: ReadonlyMap<string, string | null>): Set<string> {
  const looped = new Set<string>();
  const settled = new Set<string>();
  for (const start of managerOf.keys()) {
    const path: string[] = [];
    let at: string | null = start;
    while (at !== null && !settled.has(at)) {
      settled.add(at);
      path.push(at);
      at = managerOf.get(at) ?? null;
    }
    // The walk ended on its own path: a loop. A person whom an earlier walk settled is not on this path.
    const from: number = at === null ? -1 : path.indexOf(at);
    if (from >= 0) for (const id of path.slice(from)) looped.add(id);
  }
  return looped;
}
