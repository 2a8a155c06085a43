import { type RawBuilder, sql } from 'kysely';
import { type Static, type TOptional, type TSchema, Type } from 'typebox';
import type { Org } from './organization.ts';

/** A wish of the callers of a list: a parameter with its description, and its condition in SQL. */
export interface Filter<S extends TSchema, Asked extends Org = Org> {
  schema: S;
  condition: (value: Static<S>, asked: Asked) => RawBuilder<unknown>;
}

export const filter = <S extends TSchema, Asked extends Org = Org>(
  schema: S,
  condition: Filter<S, Asked>['condition'],
): Filter<S, Asked> => ({ schema, condition });

/** A filter by a text. An empty one excludes nothing. */
export const textFilter = <S extends TSchema & { type: 'string' }, Asked extends Org = Org>(
  schema: S,
  condition: Filter<S, Asked>['condition'],
): Filter<S, Asked> =>
  filter(schema, (text, asked: Asked) => (text === '' ? sql`true` : condition(text, asked)));

// biome-ignore lint/suspicious/noExplicitAny: each filter has values and needs of its own
type Filters = Record<string, Filter<any, any>>;

/** The things that the conditions of these filters need to know, together. */
type AskedBy<F> =
  F extends Record<string, { condition: (value: never, asked: infer A) => unknown }> ? A : Org;

/** The values of filters. A missing one excludes nothing. */
export type FilterValues<F> = {
  [K in keyof F]?: F[K] extends { schema: infer S extends TSchema } ? Static<S> : never;
};

/**
 * Declares the filters of a list once: `query` for the API, and `where` for its statement, with what conditions need to know beside the
 * value.
 */
export function filters<F extends Filters>(declared: F) {
  const query = Object.fromEntries(
    Object.entries(declared).map(([name, { schema }]) => [name, Type.Optional(schema)]),
  ) as { [K in keyof F]: TOptional<F[K]['schema']> };
  return {
    query,
    /** Returns the conditions of the given values, after others. */
    where(asked: AskedBy<F>, given: FilterValues<F>, ...others: RawBuilder<unknown>[]): RawBuilder<unknown> {
      const conditions = Object.entries(declared).flatMap(([name, { condition }]) =>
        given[name] === undefined ? [] : [condition(given[name], asked)],
      );
      return sql.join([...others, ...conditions], sql` and `);
    },
  };
}

/** The values of declared filters. */
export type ValuesOf<D extends { where: (...args: never[]) => unknown }> = Parameters<D['where']>[1];
