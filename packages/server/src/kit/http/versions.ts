import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { IfMatch } from '../versions.ts';

/** Returns the entity tags of If-Match, or null for none or `*`. */
export function ifMatchOf({ headers }: Pick<FastifyRequest, 'headers'>): IfMatch {
  const tags = headers['if-match']?.split(',').map((tag) => tag.trim()) ?? [];
  return tags.length === 0 || tags.includes('*') ? null : tags;
}

/** The request headers of a route that changes something with a version. */
export const IfMatchHeader = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      description: 'The ETag of the version that the change starts from. 412 if it is no longer current.',
    }),
  ),
});

/** The schema of a response that carries a version. */
export const withVersion = <T extends TSchema>(schema: T): T => ({
  ...schema,
  headers: {
    ETag: { type: 'string', description: 'The version of the fields that can be changed, for If-Match.' },
  },
});
