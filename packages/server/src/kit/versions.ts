import { createHash } from 'node:crypto';
import { httpRefusals } from './http/sentences.ts';

/** The versions that a change accepts: the entity tags of If-Match. Null: any version. */
export type IfMatch = readonly string[] | null;

/**
 * Returns the version of something that people edit: a strong entity tag of the fields that they can change. Other fields,
 * such as the time of the last sync, do not change it.
 */
export function versionOf(fields: object): string {
  const text = JSON.stringify(fields, (_, value) => (isRecord(value) ? withSortedKeys(value) : value));
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/**
 * Throws 412 unless If-Match names this version (RFC 9110, 13.1.1). Call it with the state from which the change starts, in the
 * transaction that has locked it: of two changes with the same version, one then fails.
 */
export function requireVersion(ifMatch: IfMatch, version: string): void {
  if (ifMatch === null || ifMatch.includes(version)) return;
  throw httpRefusals.version_outdated();
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withSortedKeys = (record: object) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
