import type { Task } from './task.ts';

interface Ref {
  id: string;
  name: string;
}
type BySlug<T> = Record<string, T>;

export interface TaskPayload {
  account: Record<string, string> | null;
  memberships: BySlug<Ref[]> | null;
  changes: BySlug<{ added: Ref[]; removed: Ref[] }> | null;
}

/** The task's payload for its connector (protocol 4.9), with the account as it is now. */
export function payloadOf(task: Task): TaskPayload {
  const { email, first_name, last_name, username } = task;
  // Only create_account can run before the external id is known; it carries our id instead (D24).
  const id = task.external_id ?? task.account_id;
  const nothing = { memberships: null, changes: null };
  switch (task.action) {
    case 'create_account':
      return {
        ...nothing,
        account: { id, email, first_name, last_name, ...(username === '' ? {} : { username }) },
        memberships: membershipsOf(task),
      };
    case 'update_account':
      return { ...nothing, account: { id, email, first_name, last_name }, changes: changesOf(task) };
    default:
      return { ...nothing, account: { id } };
  }
}

/** The groups of a create_account. Licenses follow in another task. */
const membershipsOf = ({ changes }: Task): BySlug<Ref[]> =>
  bySlug(
    changes.filter(({ type }) => type === 'group'),
    (groups) => groups.map(ref),
  );

export const changesOf = ({ changes }: Task): BySlug<{ added: Ref[]; removed: Ref[] }> =>
  bySlug(changes, (all) => ({
    added: all.filter(({ added }) => added).map(ref),
    removed: all.filter(({ added }) => !added).map(ref),
  }));

const ref = ({ id, name }: Ref): Ref => ({ id, name });

const bySlug = <T>(changes: Task['changes'], of: (changes: Task['changes']) => T): BySlug<T> =>
  Object.fromEntries([...Map.groupBy(changes, ({ slug }) => slug)].map(([slug, own]) => [slug, of(own)]));
