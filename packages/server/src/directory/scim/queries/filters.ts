import { isUuid } from '#kit/ids.ts';
import { instantForSql } from '#kit/instants.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { bad } from '../errors.ts';
import type { ElementFilter, Filter, Operator, ResourceFilter, Value } from '../filter.ts';
import { type Attribute, find, type Place } from '../schema.ts';

type Sql = RawBuilder<unknown>;

/** The SQL of an attribute of a resource. */
export type Column =
  | { is: 'id'; id: Sql }
  | { is: 'text'; text: Sql; isExact: boolean }
  | { is: 'boolean'; boolean: Sql }
  | { is: 'time'; time: Sql }
  /** `from` tests whether an element satisfies a condition on `parts`. `quick` narrows the resources down by index. */
  | { is: 'list'; from: (where: Sql) => Sql; parts: Record<string, Column>; quick?: (value: string) => Sql };

/** Returns the column of a place, or undefined for an attribute that filters cannot use. */
export type Columns = (place: Place) => Column | undefined;

/** Translates a filter into a condition, which may be null instead of false. */
export function conditionOf(filter: ResourceFilter, columns: Columns): Sql {
  switch (filter.is) {
    case 'and':
    case 'or':
      return joined(
        filter.is,
        filter.of.map((part) => conditionOf(part, columns)),
      );
    case 'not':
      return sql`(${conditionOf(filter.of, columns)}) is not true`;
    case 'each': {
      const column = columnAt(filter.at, columns);
      if (column.is !== 'list') throw unusable(filter.at);
      const anyOf = column.from(elementCondition(filter.of, column.parts));
      const value = equalValue(filter.of);
      return value === undefined || column.quick === undefined
        ? anyOf
        : sql`(${column.quick(value)} and ${anyOf})`;
    }
    case 'present':
      return presentAt(filter.at, columns);
    case 'compare':
      return comparedAt(filter.at, columns, filter.op, filter.value);
  }
}

function presentAt(place: Place, columns: Columns): Sql {
  const { attribute, sub } = place;
  if (attribute?.type === 'complex' && !attribute.multiValued && sub === undefined)
    return joined(
      'or',
      (attribute.subAttributes ?? []).flatMap((part) => {
        const column = columns({ ...place, sub: part });
        return column === undefined || column.is === 'list' ? [] : [present(column)];
      }),
    );
  const column = columnAt(place, columns);
  if (column.is !== 'list') return present(column);
  const part = sub === undefined ? undefined : column.parts[sub.name];
  if (sub !== undefined && part === undefined) throw unusable(place);
  return column.from(part === undefined ? sql`true` : present(part));
}

function comparedAt(place: Place, columns: Columns, op: Operator, value: Value): Sql {
  const { attribute, sub } = place;
  const isObject = attribute?.type === 'complex' && sub === undefined;
  const part = isObject ? find(attribute.subAttributes ?? [], 'value') : sub;
  const at = { ...place, sub: part };
  const column = columnAt(at, columns);
  if (column.is !== 'list') return compared(column, op, value);
  const of = column.parts[part?.name ?? 'value'];
  if (of === undefined) throw unusable(place);
  // An empty list equals null.
  if (value === null) {
    const some = column.from(present(of));
    return op === 'eq' ? sql`not ${some}` : some;
  }
  const anyOf = column.from(compared(of, op, value));
  return op === 'eq' && (part?.name ?? 'value') === 'value' && column.quick !== undefined
    ? sql`(${column.quick(String(value))} and ${anyOf})`
    : anyOf;
}

/** Translates the filter in `emails[...]` into a condition on the columns of an element. */
export function elementCondition(filter: ElementFilter, parts: Record<string, Column>): Sql {
  const partOf = ({ name }: Attribute) => {
    const part = parts[name];
    if (part === undefined) throw bad('invalidFilter', `Value filters cannot use ${name} here.`);
    return part;
  };
  switch (filter.is) {
    case 'and':
    case 'or':
      return joined(
        filter.is,
        filter.of.map((part) => elementCondition(part, parts)),
      );
    case 'not':
      return sql`(${elementCondition(filter.of, parts)}) is not true`;
    case 'present':
      return present(partOf(filter.at));
    case 'compare':
      return compared(partOf(filter.at), filter.op, filter.value);
    case 'each':
      throw bad('invalidFilter', 'Value filters cannot be nested.');
  }
}

/** Returns the value that an element must equal to match, so that an index can find it. */
function equalValue(filter: Filter<Attribute>): string | undefined {
  if (filter.is === 'and') {
    for (const part of filter.of) {
      const value = equalValue(part);
      if (value !== undefined) return value;
    }
  }
  return filter.is === 'compare' && filter.op === 'eq' && filter.at.name === 'value' && filter.value !== null
    ? String(filter.value)
    : undefined;
}

const joined = (by: 'and' | 'or', parts: Sql[]): Sql =>
  parts.length === 0 ? sql`false` : sql`(${sql.join(parts, by === 'and' ? sql` and ` : sql` or `)})`;

function columnAt(place: Place, columns: Columns): Column {
  const column = columns(place);
  if (column === undefined) throw unusable(place);
  return column;
}

const unusable = ({ attribute, sub }: Place) =>
  bad(
    'invalidFilter',
    `Filters cannot use ${attribute?.name ?? 'a schema'}${sub === undefined ? '' : `.${sub.name}`}.`,
  );

function present(column: Column): Sql {
  switch (column.is) {
    case 'id':
      return sql`${column.id} is not null`;
    case 'text':
      return sql`coalesce(${column.text}, '') <> ''`;
    case 'boolean':
      return sql`${column.boolean} is not null`;
    case 'time':
      return sql`${column.time} is not null`;
    case 'list':
      return column.from(sql`true`);
  }
}

function compared(column: Column, op: Operator, value: Value): Sql {
  if (value === null) return op === 'eq' ? sql`not (${present(column)})` : present(column);
  switch (column.is) {
    case 'id':
      if (op === 'eq') return isUuid(value) ? sql`${column.id} = ${value}::uuid` : sql`false`;
      return comparedText(sql`${column.id}::text`, op, sql`${String(value)}::text`);
    case 'text':
      return column.isExact
        ? comparedText(column.text, op, sql`${String(value)}::text`)
        : comparedText(sql`name_key(${column.text})`, op, sql`name_key(${String(value)}::text)`);
    case 'boolean':
      return op === 'eq'
        ? sql`coalesce(${column.boolean}, false) = ${value}::boolean`
        : sql`coalesce(${column.boolean}, false) <> ${value}::boolean`;
    case 'time': {
      const at = sql`${instantForSql(String(value))}::timestamptz`;
      const time = sql`date_trunc('milliseconds', ${column.time})`;
      return op === 'ne' ? sql`${time} is distinct from ${at}` : sql`${time} ${comparison(op)} ${at}`;
    }
    case 'list':
      throw bad(
        'invalidFilter',
        'A list cannot be compared as a whole. Compare one of its parts, such as emails.value.',
      );
  }
}

const comparison = (op: Operator) =>
  sql.raw({ eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' }[op as 'eq'] ?? '=');

function comparedText(text: Sql, op: Operator, value: Sql): Sql {
  switch (op) {
    case 'eq':
      return sql`${text} = ${value}`;
    case 'ne':
      return sql`${text} is distinct from ${value}`;
    case 'co':
      return sql`strpos(${text}, ${value}) > 0`;
    case 'sw':
      return sql`starts_with(${text}, ${value})`;
    case 'ew':
      return sql`right(${text}, length(${value})) = ${value}`;
    default:
      return sql`${text} collate "C" ${comparison(op)} ${value}`;
  }
}

/** Returns the column of an attribute whose elements are in a JSON list. */
export function jsonList(list: Sql, attribute: Attribute): Column & { is: 'list' } {
  const parts: Record<string, Column> = {};
  for (const { name, type } of attribute.subAttributes ?? [])
    parts[name] =
      type === 'boolean'
        ? { is: 'boolean', boolean: sql`(e.value->>${sql.lit(name)})::boolean` }
        : { is: 'text', text: sql`e.value->>${sql.lit(name)}`, isExact: false };
  return {
    is: 'list',
    from: (where) => sql`exists (select from jsonb_array_elements(${list}) as e (value) where ${where})`,
    parts,
  };
}
