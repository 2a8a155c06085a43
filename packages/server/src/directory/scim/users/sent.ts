import type { Left } from '#directory/people/settle.ts';
import { DomainError } from '#kit/errors.ts';
import { restore } from '../patch.ts';
import type { Named, Problem, Resource } from '../resource.ts';
import { ENTERPRISE, User } from '../schema.ts';
import { attributeName, checkedEmailOf, externalIdOf, userNameOf, workEmailOf } from './fields.ts';

/** A request of a client about a user, and the parts of it that are left as they were (D79). */
export interface Sent extends Named {
  /** The user as it is. Empty for a new one. */
  before: Resource;
  /** Whether the request sets the user inactive. Then nothing else in it can veto that. */
  ends: boolean;
  left: Left[];
}

const MANAGER = 'ext:manager';

/**
 * Combines what was read and what could not be read of a request. Throws the first problem if the request does not set the user
 * inactive. A status that cannot be read is always a problem, and a manager never.
 */
export function sentOf({ resource, named }: Named, before: Resource, problems: readonly Problem[]): Sent {
  const unreadable = problems.find(({ attribute }) => attribute === 'active');
  if (unreadable !== undefined) throw unreadable.error;
  const sent = { resource, named, before, ends: isEnd({ resource, named }), left: [] };
  for (const { attribute, error } of problems) leave(sent, attribute, error);
  return sent;
}

/** Whether a request sets a user inactive. */
export const isEnd = ({ resource, named }: Named): boolean =>
  named.has('active') && resource.active === false;

/** Throws the first problem of a request that does not set anybody inactive, before its user is looked up. */
export function requireReadable(problems: readonly Problem[], ends: boolean): void {
  const [first] = problems.filter(
    ({ attribute }) => attribute === 'active' || (!ends && attribute !== MANAGER),
  );
  if (first !== undefined) throw first.error;
}

/** Leaves an attribute as it was. Throws its error if the request does not set the user inactive, and it is not the manager. */
export function leave(sent: Sent, attribute: string, error: unknown): void {
  if (!(error instanceof DomainError) || !(sent.ends || attribute === MANAGER)) throw error;
  const { resource, before, named, left } = sent;
  const name = attributeName(attribute);
  if (!left.some((one) => one.attribute === name)) left.push({ attribute: name, reason: error.sentence });
  named.delete(attribute);
  if (attribute === 'value') Object.assign(resource, { ...before, active: resource.active });
  else if (attribute === 'extension') resource[ENTERPRISE] = before[ENTERPRISE];
  else if (/^[\w.:$]+$/.test(attribute)) restore(User, resource, before, [attribute]);
}

/** Runs a check of an attribute, and leaves the attribute if it fails. */
export function tryPart(sent: Sent, attribute: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    leave(sent, attribute, error);
  }
}

/** Checks the names by which a user is known. A user who is set inactive keeps those that are missing. */
export function checkNames(sent: Sent, stored: string | undefined): void {
  const { resource, named, before, ends } = sent;
  if (ends)
    for (const name of ['userName', 'emails'])
      if (!named.has(name) && resource[name] === undefined) restore(User, resource, before, [name]);
  tryPart(sent, 'userName', () => userNameOf(resource));
  tryPart(sent, 'emails', () => {
    if (named.has('emails')) checkedEmailOf(resource, stored);
    else workEmailOf(resource);
  });
  tryPart(sent, 'externalId', () => externalIdOf(resource));
}
