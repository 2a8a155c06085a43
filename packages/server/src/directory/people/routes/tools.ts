import type { FastifySchemaValidationError } from 'fastify';
import { sentenceOf } from '#kit/issues.ts';
import { issuesOf } from '#kit/validation.ts';
import type { Person } from '../people.ts';
import type { Left } from '../settle.ts';

export const view = <T extends Person>({ id, merged_into, succeeded_by, ...person }: T) => ({
  external_uuid: id,
  ...person,
  ...(merged_into == null ? {} : { merged_into }),
  ...(succeeded_by == null ? {} : { succeeded_by }),
});

interface Invalid extends Error {
  validation?: FastifySchemaValidationError[];
  validationContext?: string;
}

/**
 * Returns the valid fields of a change, and the others with their error, for a route that checks the schema itself. Throws the error if the
 * change does not deactivate anybody, or if it is about more than single fields.
 */
export function fittingPart<B extends object>({
  body,
  validationError,
}: {
  body: B;
  validationError: Invalid | undefined;
}): { body: B; unfit: { left: Left[]; error: Error } | undefined } {
  if (validationError === undefined) return { body, unfit: undefined };
  const { validation = [], validationContext } = validationError;
  const left = issuesOf(validation).map((issue) => ({
    attribute: issue.path.split(/[.[]/)[0] ?? '',
    reason: sentenceOf([{ ...issue, path: '' }]),
  }));
  const isEnd =
    validationContext === 'body' && (body as { status?: unknown } | null)?.status === 'deactivated';
  if (!isEnd || left.some(({ attribute }) => attribute === '' || attribute === 'status'))
    throw validationError;
  const names = new Set(left.map(({ attribute }) => attribute));
  const fit = Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
  return { body: fit as B, unfit: { left, error: validationError } };
}
