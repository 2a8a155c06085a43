import { execFile } from 'node:child_process';
import {
  type Changes,
  type Grants,
  type TaskAccount,
  TaskError,
  type TaskErrorCode,
} from '@gatehouse/connector';
import { type Files, readGroups, readUsers } from './files.ts';

/** Exit codes of useradd(8), usermod(8) and userdel(8). */
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
        reject(
          new TaskError(meaningOf(error.code, stderr), stderr.trim() || error.message, { cause: error }),
        );
      },
    );
  });
}

/** The tools have one exit code for these and for other errors. Only their text, in the language of LC_ALL, differs. */
function meaningOf(exit: unknown, stderr: string): TaskErrorCode {
  if (/permission denied/i.test(stderr)) return 'PERMISSION_DENIED';
  if (/try again later/i.test(stderr)) return 'RATE_LIMITED';
  return meanings[Number(exit)] ?? 'INTERNAL_ERROR';
}

/** Returns the name if it belongs to a person. No task may change root or a service user. */
async function person(files: Files, id: string): Promise<string> {
  if ((await readUsers(files)).some(({ name }) => name === id)) return id;
  throw new TaskError('ACCOUNT_NOT_FOUND', `no person on this machine has the user name ${id}`);
}

export async function findUser(files: Files, { username }: TaskAccount): Promise<string | null> {
  return (await readUsers({ ...files, minUid: 0 })).find(({ name }) => name === username)?.name ?? null;
}

export async function addUser(
  files: Files,
  account: TaskAccount,
  memberships: Grants<'group'>,
): Promise<{ id: string }> {
  const { username: name, first_name, last_name } = account;
  if (!name) throw new TaskError('INTERNAL_ERROR', 'the task has no username');
  const groups = (memberships.group ?? []).map(({ id }) => id);
  const fullName = [first_name, last_name]
    .filter(Boolean)
    .join(' ')
    .replace(/[:\n,]/g, ' ');
  await command(files, 'useradd', ['--comment', fullName, '--groups', groups.join(','), '--', name]);
  return { id: name };
}

export async function changeGroups(files: Files, id: string, { group }: Changes<'group'>): Promise<void> {
  const name = await person(files, id);
  const now = (await readGroups(files))
    .filter(({ members }) => members.includes(name))
    .map((each) => each.name);
  const removed = new Set(group?.removed.map((ref) => ref.id));
  const wanted = new Set([
    ...now.filter((each) => !removed.has(each)),
    ...(group?.added ?? []).map((ref) => ref.id),
  ]);
  await command(files, 'usermod', ['--groups', [...wanted].join(','), '--', name]);
}

/**
 * Keeps the home folder, whose content belongs to the organization. userdel refuses to remove somebody who is signed in: the account
 * is then locked, and the task fails.
 */
export async function deleteUser(files: Files, id: string): Promise<void> {
  const name = await person(files, id);
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

/** Locks the password and expires the account: the lock alone would leave SSH keys working. */
export async function suspendUser(files: Files, id: string): Promise<void> {
  await command(files, 'usermod', ['--lock', '--expiredate', '1', '--', await person(files, id)]);
}

export async function unsuspendUser(files: Files, id: string): Promise<void> {
  await command(files, 'usermod', ['--unlock', '--expiredate', '', '--', await person(files, id)]);
}
