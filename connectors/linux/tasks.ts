import { execFile } from 'node:child_process';
import {
  type Changes,
  type Grants,
  type TaskAccount,
  TaskError,
  type TaskErrorCode,
} from '@gatehouse/connector';
import {
  dateOf,
  type Files,
  type Group,
  readAllUsers,
  readGroups,
  readUsers,
  today,
  type User,
} from './files.ts';

/** Exit codes of useradd(8), usermod(8) and userdel(8). Both are also about groups. */
const meanings: Record<number, TaskErrorCode> = { 6: 'ACCOUNT_NOT_FOUND', 9: 'ACCOUNT_ALREADY_EXISTS' };

/** Serializes the tools: they lock the files and fail immediately if these are locked. */
let turn: Promise<unknown> = Promise.resolve();

function command(files: Files, name: 'useradd' | 'usermod' | 'userdel', args: string[]): Promise<void> {
  const own = turn.then(() => execute(files, name, args));
  turn = own.catch(() => {});
  return own;
}

function execute({ root, through }: Files, name: string, args: string[]): Promise<void> {
  const [program = name, ...before] = [...(through?.split(' ') ?? []), name];
  const prefix = root === '/' ? [] : ['--prefix', root];
  return new Promise((resolve, reject) => {
    execFile(
      program,
      [...before, ...prefix, ...args],
      { env: { ...process.env, LC_ALL: 'C' } },
      (error, _, stderr) => {
        if (!error) return resolve();
        const said = stderr.trim() || error.message;
        const why = typeof error.code === 'number' ? `exit code ${error.code}: ${said}` : said;
        reject(new TaskError(meaningOf(error.code, stderr), why, { cause: error }));
      },
    );
  });
}

/** The tools have one exit code for these and for other errors. Only their text, in the language of LC_ALL, differs. */
function meaningOf(exit: unknown, stderr: string): TaskErrorCode {
  if (/permission denied/i.test(stderr)) return 'PERMISSION_DENIED';
  if (/try again later/i.test(stderr)) return 'RATE_LIMITED';
  if (/\bgroup\b/i.test(stderr)) return 'INTERNAL_ERROR';
  return meanings[Number(exit)] ?? 'INTERNAL_ERROR';
}

/** Returns the person with the name. No task may change a service user, or root under any name, whatever `minUid` is. */
async function person(files: Files, id: string): Promise<User> {
  const found = (await readUsers(files)).find(({ name }) => name === id);
  if (found?.uid === 0)
    throw new TaskError(
      'PERMISSION_DENIED',
      `${id} has the user id 0, with which it controls the machine, so no task changes it: change it on the machine itself`,
    );
  if (found) return found;
  throw new TaskError('ACCOUNT_NOT_FOUND', `no person on this machine has the user name ${id}`);
}

export async function findUser(files: Files, { username }: TaskAccount): Promise<string | null> {
  return (await readAllUsers(files)).find(({ name }) => name === username)?.name ?? null;
}

export async function addUser(
  files: Files,
  account: TaskAccount,
  memberships: Grants<'group'>,
): Promise<{ id: string }> {
  const { username: name, first_name, last_name } = account;
  if (!name) throw new TaskError('INTERNAL_ERROR', 'the task has no username');
  const groups = (memberships.group ?? []).map(({ id }) => id);
  requireGroups(await readGroups(files), groups);
  const fullName = [first_name, last_name]
    .filter(Boolean)
    .join(' ')
    .replace(/[:\n,]/g, ' ');
  await command(files, 'useradd', ['--comment', fullName, '--groups', groups.join(','), '--', name]);
  return { id: name };
}

/** Throws for a group that does not exist. The exit code of the tools for it is also that for a missing user. */
function requireGroups(groups: Group[], names: string[]): void {
  const missing = names.find((name) => !groups.some((group) => group.name === name));
  if (missing !== undefined)
    throw new TaskError('INTERNAL_ERROR', `the group ${missing} does not exist on this machine`);
}

/** Changes the supplementary groups. The primary group stays, because files and processes of the person belong to it. */
export async function changeGroups(files: Files, id: string, { group }: Changes<'group'>): Promise<void> {
  const { name, gid } = await person(files, id);
  const groups = await readGroups(files);
  const removed = new Set(group?.removed.map((ref) => ref.id));
  const primary = groups.find((each) => each.gid === gid && removed.has(each.name));
  if (primary)
    throw new TaskError(
      'INTERNAL_ERROR',
      `${primary.name} is the primary group of ${name}; give the user another one first, with usermod --gid`,
    );
  const added = (group?.added ?? []).map((ref) => ref.id);
  requireGroups(groups, added);
  const now = groups.filter(({ members }) => members.includes(name)).map((each) => each.name);
  const wanted = new Set([...now.filter((each) => !removed.has(each)), ...added]);
  await command(files, 'usermod', ['--groups', [...wanted].join(','), '--', name]);
}

/**
 * Keeps the home folder, whose content belongs to the organization. userdel refuses to remove somebody who is signed in: the account
 * is then locked, and the task fails.
 */
export async function deleteUser(files: Files, id: string): Promise<void> {
  const { name } = await person(files, id);
  try {
    await command(files, 'userdel', ['--', name]);
  } catch (error) {
    const { code, message } = error as TaskError;
    const locked = await suspendUser(files, name).then(
      () => 'The account was locked and can no longer sign in',
      (second: Error) => `The account could not be locked either: ${second.message}`,
    );
    throw new TaskError(code, `${message}. ${locked}`, { cause: error });
  }
}

/** The day on which suspended accounts expired: 2 January 1970. */
const SUSPENDED = 1;
const kept = /(?:^| )expires=(\d{4}-\d\d-\d\d)$/;

/**
 * Locks the password and expires the account: the lock alone would leave SSH keys working. A date on which the account was to expire
 * is kept in the part "other" of the comment, which only root may change.
 */
export async function suspendUser(files: Files, id: string): Promise<void> {
  const { name, expires, comment } = await person(files, id);
  const isToCome = expires !== undefined && expires > today();
  const note = isToCome ? ['--comment', withOther(comment, `expires=${dateOf(expires)}`)] : [];
  await command(files, 'usermod', ['--lock', '--expiredate', String(SUSPENDED), ...note, '--', name]);
}

/** Fails, and changes nothing, if the person could not sign in afterwards. An expiry to come stays. */
export async function unsuspendUser(files: Files, id: string): Promise<void> {
  const { name, expires, comment, passwordDeadFor } = await person(files, id);
  const unable = (why: string) =>
    new TaskError('INTERNAL_ERROR', `${name} could not sign in: ${why}, so nothing was changed`);
  if (passwordDeadFor !== undefined)
    throw unable(
      `the password expired longer ago than it may still be changed (by ${passwordDeadFor} days); set a new one with passwd first`,
    );
  const until = expires === SUSPENDED ? kept.exec(otherIn(comment))?.[1] : undefined;
  if (until !== undefined && until <= dateOf(today()))
    throw unable(`the account was to expire on ${until}; set another date with usermod --expiredate first`);
  const isToCome = expires !== undefined && expires > today();
  const dates = isToCome ? [] : ['--expiredate', until ?? ''];
  const note = until === undefined ? [] : ['--comment', withOther(comment)];
  await command(files, 'usermod', ['--unlock', ...dates, ...note, '--', name]);
}

/** The fifth part of the comment. */
const otherIn = (comment: string): string => comment.split(',').slice(4).join(',');

/** Returns the comment with another note about the expiry, or without one. */
function withOther(comment: string, note?: string): string {
  const [name = '', room = '', work = '', home = ''] = comment.split(',');
  const other = [otherIn(comment).replace(kept, ''), ...(note ? [note] : [])].filter(Boolean).join(' ');
  const parts = [name, room, work, home, other];
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts.join(',');
}
