import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { PeopleHook } from '../people/people.ts';
import type { Db } from '../platform/database/open.ts';
import { outdated } from './errors.ts';

/** The context of a SCIM operation: its caller, and the tools that it needs. */
export interface Call {
  db: Db;
  principal: Principal;
  cause: RequestCause;
  hooks: readonly PeopleHook[];
  /** The address of the service provider, `.../scim/v2`. */
  base: string;
  /** The versions in If-Match. Null: any version. */
  ifMatch: string[] | null;
}

/** Throws 412 unless If-Match names this version. */
export function requireVersion({ ifMatch }: Call, version: string) {
  const bare = (tag: string) => tag.replace(/^W\//, '');
  if (ifMatch !== null && !ifMatch.some((one) => bare(one) === bare(version))) throw outdated();
}
