import { replaceEqualDeep } from '@tanstack/react-query';

/** The version (ETag) of what the server sent, by the data. A form sends the version from which it was filled. */
const versions = new WeakMap<object, string>();

export const versionOf = (data: object): string | undefined => versions.get(data);

/** Returns the data after remembering its version. A proxy that compresses may have marked the ETag as weak. */
export function withVersion<T>(data: T, response: Response | undefined): T {
  remember(data, response?.headers.get('etag')?.replace(/^W\//, ''));
  return data;
}

/** Returns the new data, made of the parts of the earlier data that are equal, with the version of the new data. */
export function shared(before: unknown, after: unknown): unknown {
  const merged: unknown = replaceEqualDeep(before, after);
  if (isObject(after)) remember(merged, versionOf(after));
  return merged;
}

/** The header of a change that is refused with 412 unless this is the current version. */
export const ifMatch = (version: string | undefined) =>
  version === undefined ? {} : { 'If-Match': version };

function remember(data: unknown, version: string | undefined) {
  if (isObject(data) && version !== undefined) versions.set(data, version);
}

const isObject = (data: unknown): data is object => typeof data === 'object' && data !== null;
