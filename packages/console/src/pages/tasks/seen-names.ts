import type { Task } from './task.ts';

type Seen = NonNullable<Task['seen']>;

/** Returns the groups and licenses that a connector saw or missed, with their names from the task, or with their IDs. */
export function seenNames({ held, missing }: Seen, changes: Task['changes']) {
  const named = (of: Seen['held']) =>
    of.map(({ slug, id }) => {
      const { added = [], removed = [] } = changes[slug] ?? {};
      const name = [...added, ...removed].find((one) => one.id === id)?.name;
      return { key: `${slug}/${id}`, name: name || id };
    });
  return { held: named(held), missing: named(missing) };
}
