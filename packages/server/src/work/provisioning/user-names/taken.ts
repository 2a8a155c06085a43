import { userNameSettingsOf } from '#inventory/apps/facts.ts';
import { namingOf } from '#inventory/apps/user-names/naming.ts';
import { type AccountInTheWay, accountsInTheWay } from '#inventory/records/accounts/account-facts.ts';
import { renameAwaited } from '#inventory/records/accounts/task-operations.ts';
import type { OrgTx } from '#kit/database.ts';
import { setHolder } from '../queries/user-names.ts';
import type { Holder, Task } from '../task.ts';
import { chooseUserNames } from './choose.ts';

/** An account that a connector found in the place of the one to create, as far as it reports it. */
export interface FoundAccount {
  id: string;
  email: string | null;
}

/** How many attempts at a creation get another name because the one before was taken. */
const MOST_NAMES = 5;

/**
 * Handles that the account of a failed creation already exists in its app (D82): stores whose it is, for the explanation, and gives the
 * account that is to be created the next free name if the app has naming and the existing one is somebody else's. Returns whether the
 * task should be tried again with it.
 */
export async function handleTaken(tx: OrgTx, task: Task, found: FoundAccount | null): Promise<boolean> {
  const holder = await holderOf(tx, task, found);
  const settings = (await userNameSettingsOf(tx, [task.app_id])).get(task.app_id);
  const hasNaming = settings !== undefined && namingOf(settings) !== null;
  const isRenamed =
    hasNaming && holder.is !== 'own' && task.attempt <= MOST_NAMES && (await rename(tx, task));
  await setHolder(tx, task.id, { ...holder, is_renamed: isRenamed });
  return isRenamed;
}

/** Gives a NEW account the name after the present one. Returns false if its person no longer exists. */
async function rename(tx: OrgTx, { app_id, account_id, user_id, username }: Task): Promise<boolean> {
  if (user_id === null) return false;
  const wanted = { appId: app_id, userId: user_id, accountId: account_id, after: username };
  const [name] = await chooseUserNames(tx, [wanted]);
  if (name == null) return false;
  await renameAwaited(tx, account_id, name);
  return true;
}

/**
 * Gives the account of a failed creation a name again, before the task is retried by hand: the name may have been given to another one
 * since, and one that the system has refused counts no more.
 */
export async function nameAgain(tx: OrgTx, task: Task): Promise<void> {
  if (task.user_id === null) return;
  const isRefused = task.error?.code === 'ACCOUNT_ALREADY_EXISTS' && task.error.holder?.is !== 'own';
  const [name] = await chooseUserNames(tx, [
    {
      appId: task.app_id,
      userId: task.user_id,
      accountId: task.account_id,
      ...(isRefused ? { after: task.error?.holder?.username ?? task.username } : {}),
    },
  ]);
  if (name != null && name !== task.username) await renameAwaited(tx, task.account_id, name);
}

/** Finds whose the existing account is: that of the person, of somebody else, of nobody, or not known to Gatehouse. */
async function holderOf(
  tx: OrgTx,
  task: Task,
  found: FoundAccount | null,
): Promise<Omit<Holder, 'is_renamed'>> {
  const { username } = task;
  const known = await accountsInTheWay(tx, {
    ...{ appId: task.app_id, except: task.account_id, username, email: task.email },
    externalId: found?.id ?? null,
  });
  const isOwn = ({ user_id, has_email }: AccountInTheWay) =>
    user_id === null ? has_email : user_id === task.user_id;
  // The account that the connector names counts before one with the same name.
  const named = known.filter(({ is_found }) => is_found);
  const candidates = named.length > 0 ? named : known;
  const own = candidates.find(isOwn);
  if (own !== undefined) return { is: 'own', username, account: own.id, email: null };
  const [other] = candidates;
  if (other !== undefined)
    return {
      is: other.user_id === null ? 'nobody' : 'other',
      username,
      account: other.id,
      email: other.user_email,
    };
  const isSame = found?.email != null && found.email.toLowerCase() === task.email.toLowerCase();
  return { is: isSame ? 'own' : 'unknown', username, account: null, email: null };
}

const LONGEST_TEXT = 512;

/** Reads the account that exists from `result` of a failed report. A field that has another form counts as absent. */
export function foundAccountIn(result: object): FoundAccount | null {
  const account = 'account' in result ? result.account : null;
  if (typeof account !== 'object' || account === null) return null;
  const { id, email } = account as Record<string, unknown>;
  const isText = (value: unknown): value is string =>
    typeof value === 'string' &&
    value.length <= LONGEST_TEXT &&
    !value.includes('\0') &&
    value.isWellFormed();
  return isText(id) && id !== '' ? { id, email: isText(email) && email !== '' ? email : null } : null;
}
