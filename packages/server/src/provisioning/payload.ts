import type { Task } from './queries/views.ts';

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

/** What a connector is given to do (contract 4.9). It is told the account as it is now, not as it was at creation. */
export function payloadOf(task: Task): TaskPayload {
  const { email, first_name, last_name, username } = task;
  // Only a create can come before the external system's own id is known; it carries ours (D24, governance.md).
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

/** Groups only: licenses follow in a task of their own. */
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
