import { isDamaged, isDiskFull } from './database/sqlstate.ts';
import { StartError } from './errors.ts';
import { causeSentence, networkCause } from './http/network-cause.ts';

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
};

/** Returns the sentence that tells the operator why the process stops, or undefined for a fault of the program. */
export function startFailureOf(error: unknown): string | undefined {
  if (error instanceof StartError) return error.message;
  if (isDiskFull(error))
    return 'The disk of the database is full. Free some space, then start Gatehouse again. No committed change is lost.';
  if (isDamaged(error))
    return 'Files of the database are damaged or missing. Keep a copy of them, and restore a backup: see docs/backup.md.';
  const { code, path } = error as NodeJS.ErrnoException;
  const why = code === undefined || path === undefined ? undefined : FILES[code];
  if (why !== undefined) return `${path} ${why}, then start Gatehouse again.`;
  const cause = networkCause(error);
  return cause && `Gatehouse could not connect. ${causeSentence(cause)}`;
}
