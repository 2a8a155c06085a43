import { type RawBuilder, sql } from 'kysely';
import { type Static, type TOptional, type TSchema, Type } from 'typebox';

/** What the callers of a list can ask for: a parameter with its description, and its condition in SQL. */
export interface Filter<S extends TSchema> {
  schema: S;
  condition: (value: Static<S>) => RawBuilder<unknown>;
}

export const filter = <S extends TSchema>(schema: S, condition: Filter<S>['condition']): Filter<S> => ({
  schema,
  condition,
});

// biome-ignore lint/suspicious/noExplicitAny: each filter has values of its own type
type Filters = Record<string, Filter<any>>;

/** The values of filters. A missing one excludes nothing. */
export type FilterValues<F extends Filters> = { [K in keyof F]?: Static<F[K]['schema']> };

/** Declares the filters of a list once: `query` for the API, and `where` for its statement. */
export function filters<F extends Filters>(declared: F) {
  const query = Object.fromEntries(
    Object.entries(declared).map(([name, { schema }]) => [name, Type.Optional(schema)]),
  ) as { [K in keyof F]: TOptional<F[K]['schema']> };
  return {
    query,
    /** Returns the conditions of the given values, after others. */
    where(given: FilterValues<F>, ...others: RawBuilder<unknown>[]): RawBuilder<unknown> {
      const conditions = Object.entries(declared).flatMap(([name, { condition }]) =>
        given[name] === undefined ? [] : [condition(given[name])],
      );
      return sql.join([...others, ...conditions], sql` and `);
    },
  };
}
