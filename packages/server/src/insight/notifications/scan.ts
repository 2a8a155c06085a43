import { type Db, type Org, within } from '#kit/database.ts';
import type { Draft } from '#log/notices/draft.ts';
import { peopleTold } from './queries/lookups.ts';
import { SOURCES } from './sources.ts';

/** Returns the notifications that are due by the clock, in parts: the caller reads each before it takes the next one. */
export function* partsDue(org: Org, expiryDays: number): Generator<(db: Db) => Promise<Draft[]>> {
  for (const { due } of SOURCES)
    for (const part of due?.({ expiryDays, peopleTold }) ?? []) yield (db) => part(within(db, org.orgId));
}
