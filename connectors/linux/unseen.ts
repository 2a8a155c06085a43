import type { ListContext } from '@gatehouse/connector';
import { countSources, type Files, isPerson, readAllUsers, readGroups } from './files.ts';

/** Reports the users and the members of groups that are not listed (D81): system users, and those of other systems. */
export async function reportUnseen(files: Files, unseen: ListContext['unseen']): Promise<void> {
  const users = await readAllUsers(files);
  const others = users.filter((user) => !isPerson(files, user));
  const known = new Set(users.map(({ name }) => name));
  const report = (
    slug: 'user' | 'group',
    id: string | undefined,
    counts: Record<'range' | 'foreign', number>,
  ) => {
    for (const rule of ['range', 'foreign'] as const)
      if (counts[rule] > 0) unseen({ slug, id, rule, count: counts[rule] });
  };
  report('user', undefined, { range: others.length, foreign: await countSources(files, 'passwd') });
  report('group', undefined, { range: 0, foreign: await countSources(files, 'group') });
  for (const { name, gid, members } of await readGroups(files)) {
    const named = new Set(members);
    report('group', name, {
      range: others.filter((user) => user.gid === gid || named.has(user.name)).length,
      foreign: [...named].filter((member) => !known.has(member)).length,
    });
  }
}
