import type { ReactNode } from 'react';
import { ApiError } from '../../api/error.ts';
import { versionOf } from '../../api/version.ts';

/** A field of a form, for the comparison of two states. */
export interface Row {
  label: string;
  /** The value that is compared. */
  value: unknown;
  show: ReactNode;
}

/** The record that a form changes, and that others may change at the same time. */
export interface Edits<V> {
  /** The version from which the form was filled. */
  version: string | undefined;
  /** Reads the current version. */
  read: () => Promise<{ version: string | undefined; values: V }>;
  rows: (values: V) => Row[];
}

/** The `edits` of a form that was filled from `data`. `read` loads the current data. */
export const editsFrom = <T extends object, V>(
  data: T,
  read: () => Promise<T>,
  valuesOf: (data: T) => V,
  rows: Edits<V>['rows'],
): Edits<V> => ({
  version: versionOf(data),
  read: async () => {
    const now = await read();
    return { version: versionOf(now), values: valuesOf(now) };
  },
  rows,
});

export interface Difference {
  label: string;
  theirs: ReactNode;
  mine: ReactNode;
}

export type Choice = 'mine' | 'theirs' | 'neither';

/** The person did not keep their change, so it failed without an error to show. */
export class NotKept extends Error {}

let choose: (differences: Difference[]) => Promise<Choice> = async () => 'neither';

/** Sets how to ask the person which of two changes to keep. */
export function onConflict(ask: typeof choose) {
  choose = ask;
}

const isOutdated = (error: unknown) => error instanceof ApiError && error.status === 412;

interface Change<V, T> {
  values: V;
  /** The values with which the form was filled. */
  before: V;
  version: string | undefined;
  send: (values: V, version: string | undefined) => Promise<T>;
  /** Fills the form with the current values. */
  fill: (values: V, version: string | undefined) => void;
}

/**
 * Sends a change of a version. If somebody else has changed fields of the form in the meantime, the person chooses which change
 * to keep. Changes of other fields do not matter. Throws NotKept if the person does not keep theirs.
 */
export async function sendEdit<V, T>(edits: Edits<V>, change: Change<V, T>): Promise<T> {
  const { values, before, send, fill } = change;
  let { version } = change;
  for (;;) {
    try {
      return await send(values, version);
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
    const now = await edits.read();
    const theirs = edits.rows(now.values);
    const choice =
      differences(edits.rows(before), theirs).length === 0
        ? 'mine'
        : await chosen(differences(edits.rows(values), theirs));
    if (choice === 'theirs') fill(now.values, now.version);
    if (choice !== 'mine') throw new NotKept();
    version = now.version;
  }
}

const chosen = async (differing: Difference[]): Promise<Choice> =>
  differing.length === 0 ? 'mine' : choose(differing);

/** Returns the fields that differ. */
function differences(mine: readonly Row[], theirs: readonly Row[]): Difference[] {
  return mine.flatMap(({ label, value, show }, index) => {
    const other = theirs[index];
    if (other === undefined || JSON.stringify(value) === JSON.stringify(other.value)) return [];
    return [{ label, theirs: other.show, mine: show }];
  });
}
