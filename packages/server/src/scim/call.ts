import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { PeopleHook } from '../people/people.ts';
import type { Db } from '../platform/database/open.ts';
import { changedMeanwhile } from './errors.ts';

/** Who calls and with what: the same for every SCIM operation. */
export interface Call {
  db: Db;
  principal: Principal;
  cause: RequestCause;
  hooks: readonly PeopleHook[];
  /** The address of the service provider, `.../scim/v2`. */
  base: string;
  /** The versions in If-Match. Null: any. */
  ifMatch: string[] | null;
}

export function requireVersion({ ifMatch }: Call, version: string) {
  const bare = (tag: string) => tag.replace(/^W\//, '');
  if (ifMatch !== null && !ifMatch.some((one) => bare(one) === bare(version))) throw changedMeanwhile();
}
