import type { Call as AnyCall } from '#kit/identity.ts';
import type { IfMatch } from '#kit/versions.ts';
import { outdated } from './errors.ts';

/** The call of a SCIM operation. */
export interface Call extends AnyCall {
  /** The address of the service provider, `.../scim/v2`. */
  base: string;
  /** The versions in If-Match. Null: any version. */
  ifMatch: IfMatch;
}

/** Throws 412 unless If-Match names this version. */
export function requireVersion({ ifMatch }: Call, version: string) {
  const bare = (tag: string) => tag.replace(/^W\//, '');
  if (ifMatch !== null && !ifMatch.some((one) => bare(one) === bare(version))) throw outdated();
}
