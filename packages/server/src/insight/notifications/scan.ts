import type { OrgDb } from '#kit/database.ts';
import type { Draft } from '#log/notices/draft.ts';
import { peopleTold } from './queries/lookups.ts';
import { SOURCES } from './sources.ts';

/** Returns the notifications that are due by the clock, in parts: the caller reads each before it takes the next one. */
export function* partsDue(expiryDays: number): Generator<(db: OrgDb) => Promise<Draft[]>> {
  for (const { due } of SOURCES) yield* due?.({ expiryDays, peopleTold }) ?? [];
}
