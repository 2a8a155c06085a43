import { causeSentence, networkCause } from '../../../protocol/src/net/network-cause.ts';
import { databaseFailureOf } from './database/database-failure.ts';
import { StartError } from './errors.ts';

/** The problem with a file of the data folder, by the code of the system's error. */
const FILES: Record<string, string> = {
  EACCES:
    'cannot be used: the user that runs Gatehouse lacks the permission. Give the file or folder to this user',
  EPERM:
    'cannot be changed: it belongs to another user. Give the file or folder to the user that runs Gatehouse',
  EROFS: 'cannot be written: its file system is read-only. Mount it for writing',
  EISDIR: 'is a folder, but must be a file. Move it to another place',
  ENOTDIR: 'has a file where a folder must be. Move that file to another place',
  EEXIST: 'is a file, but must be a folder. Move it to another place',
  ENOENT: 'does not exist. Create it, or correct the setting with its path',
  ENAMETOOLONG: 'has a name that is too long. Choose a shorter one',
  ELOOP: 'is a symbolic link that leads to itself. Correct it',
  EBUSY: 'is in use by another program. End that program',
  EMFILE: 'cannot be opened: the process has too many open files. Raise its limit (ulimit -n)',
  ENFILE: 'cannot be opened: the system has too many open files. Raise its limit',
  EIO: 'cannot be read or written: its disk reports an error. Check the disk',
};

/** Returns the sentence that tells the operator why the process stops, or undefined for a fault of the program. */
export function startFailureOf(error: unknown): string | undefined {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (databaseFailureOf(error) ?? fileFailureOf(error)) : undefined;
}

function fileFailureOf(error: Error): string | undefined {
  const { code, path } = error as NodeJS.ErrnoException;
  const why = code === undefined || path === undefined ? undefined : FILES[code];
  if (why !== undefined) return `${path} ${why}, then start Gatehouse again.`;
  const cause = networkCause(error);
  return cause && `Gatehouse could not connect. ${causeSentence(cause)}`;
}
