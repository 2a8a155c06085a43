import { type RawBuilder, sql } from 'kysely';
import { type Static, type TOptional, type TSchema, Type } from 'typebox';
import type { Org } from './organization.ts';

/** A wish of the callers of a list: a parameter with its description, and its condition in SQL. */
export interface Filter<S extends TSchema, Asked extends Org = Org, Condition = RawBuilder<unknown>> {
  schema: S;
  /** Null excludes nothing. */
  condition: (value: Static<S>, asked: Asked) => Condition | null;
  /** Whether it also goes with `as_of`. */
  isDated?: true;
}

export const filter = <S extends TSchema, Asked extends Org = Org, Condition = RawBuilder<unknown>>(
  schema: S,
  condition: Filter<S, Asked, Condition>['condition'],
): Filter<S, Asked, Condition> => ({ schema, condition });

/** A filter by a text. An empty one excludes nothing. */
export const textFilter = <
  S extends TSchema & { type: 'string' },
  Asked extends Org = Org,
  Condition = RawBuilder<unknown>,
>(
  schema: S,
  condition: Filter<S, Asked, Condition>['condition'],
): Filter<S, Asked, Condition> =>
  filter(schema, (text, asked: Asked) => (text === '' ? null : condition(text, asked)));

/** A filter by a property. False excludes nothing. */
export const flagFilter = <Asked extends Org = Org, Condition = RawBuilder<unknown>>(
  options: { description: string; default?: false },
  condition: (asked: Asked) => Condition,
) =>
  filter(Type.Boolean(options), (isWanted, asked: Asked): Condition | null =>
    isWanted ? condition(asked) : null,
  );

/** A filter that also goes with `as_of`. The statement for an earlier time has a condition of its own. */
export const dated = <F>(declared: F): F & { isDated: true } => ({ ...declared, isDated: true });

// biome-ignore lint/suspicious/noExplicitAny: each filter has values and needs of its own
type Filters = Record<string, Filter<any, any, any>>;

/** The things that the conditions of these filters need to know, together. */
type AskedBy<F> =
  F extends Record<string, { condition: (value: never, asked: infer A) => unknown }> ? A : Org;

type ConditionOf<F> = F extends { condition: (...args: never[]) => infer C } ? Exclude<C, null> : never;

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
  /** Returns the conditions of the given values. */
  const conditions = (asked: AskedBy<F>, given: FilterValues<F>): ConditionOf<F[keyof F]>[] =>
    Object.entries(declared).flatMap(([name, { condition }]) => {
      const found = given[name] === undefined ? null : condition(given[name], asked);
      return found === null ? [] : [found];
    });
  return {
    query,
    conditions,
    /** Returns the values of the filters among the parameters of a request. */
    of: (parameters: FilterValues<F>): FilterValues<F> =>
      Object.fromEntries(Object.entries(parameters).filter(([name]) => name in declared)) as FilterValues<F>,
    /** The names of those that do not go with `as_of`. */
    presentOnly: Object.keys(declared).filter((name) => declared[name]?.isDated !== true),
    /** Returns the conditions of the given values, after others. */
    where: (
      asked: AskedBy<F>,
      given: FilterValues<F>,
      ...others: RawBuilder<unknown>[]
    ): RawBuilder<unknown> => sql.join([...others, ...conditions(asked, given)], sql` and `),
  };
}

/** The values of declared filters. */
export type ValuesOf<D extends { where: (...args: never[]) => unknown }> = Parameters<D['where']>[1];
