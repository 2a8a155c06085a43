import {
  attributeOf,
  existsInCel,
  fieldOf,
  OPERATORS_OF,
  type Operator,
  pathInCel,
  quoted,
  takesValue,
} from './condition-vocabulary.ts';

export type Join = 'and' | 'or';

/** "Department is Finance". `values` has one entry, or several for `one_of`. */
export interface Row {
  field: string;
  operator: Operator;
  values: string[];
}

export interface Group {
  join: Join;
  rows: Row[];
}

/** A condition as the builder shows it: rows, and groups of rows. Without any it matches everyone. */
export interface Condition {
  join: Join;
  items: (Row | Group)[];
}

/**
 * The value of a condition with an incomplete row. It is not CEL, so the server refuses it: an empty condition can mean everyone.
 */
export const INCOMPLETE = '…';

export const isGroup = (item: Row | Group): item is Group => 'rows' in item;

const DAY = /^\d{4}-\d\d-\d\d$/;
const WHOLE = /^\d{1,9}$/;

export function isComplete({ field, operator, values }: Row): boolean {
  if (fieldOf(field) === undefined) return false;
  if (!takesValue(operator)) return true;
  if (operator === 'before' || operator === 'after') return DAY.test(values[0] ?? '');
  if (operator === 'at_least') return WHOLE.test(values[0] ?? '');
  return values.length > 0 && values.every((value) => value !== '');
}

/** Returns the condition in CEL. Rows that are not complete are left out. */
export function writeCondition({ join, items }: Condition): string {
  const parts = items.flatMap((item) => {
    if (!isGroup(item)) return isComplete(item) ? [writeRow(item)] : [];
    const rows = item.rows.filter(isComplete).map(writeRow);
    if (rows.length < 2) return rows;
    return [`(${rows.join(SIGNS[item.join])})`];
  });
  const [only] = parts;
  return parts.length === 1 && only !== undefined
    ? only.replace(/^\((.*)\)$/s, unwrapped)
    : parts.join(SIGNS[join]) || 'true';
}

/** A single group needs no parentheses. Rows that begin and end with one, such as !('a' in b), do not match. */
const unwrapped = (_: string, inner: string) => inner;

const SIGNS: Record<Join, string> = { and: ' && ', or: ' || ' };

function writeRow({ field, operator, values: [value = '', ...others] }: Row): string {
  const path = pathInCel(field);
  const compared = (sign: string, to = quoted(value)) => [path, sign, to].join(' ');
  const called = (method: string) => `${path}.${method}(${quoted(value)})`;
  const included = [quoted(value), 'in', path].join(' ');
  /** Without the date or the number, the comparison is false instead of undecided. */
  const known = (comparison: string) => `(${[existsInCel(field), comparison].join(SIGNS.and)})`;
  switch (operator) {
    case 'is':
      return compared('==');
    case 'is_not':
      // People without the attribute are not the value either. Alone, the comparison would not decide about them.
      return attributeOf(field) === undefined
        ? compared('!=')
        : `(${[notInCel(existsInCel(field)), compared('!=')].join(SIGNS.or)})`;
    case 'one_of':
      return compared('in', `[${[value, ...others].map(quoted).join(', ')}]`);
    case 'contains':
      return called('contains');
    case 'starts':
      return called('startsWith');
    case 'ends':
      return called('endsWith');
    case 'yes':
      return compared('==', 'true');
    case 'no':
      return compared('==', 'false');
    case 'set':
      return existsInCel(field);
    case 'unset':
      return notInCel(existsInCel(field));
    case 'includes':
      return included;
    case 'excludes':
      return notInCel(included);
    case 'past':
      return known(compared('<', 'today'));
    case 'future':
      return known(compared('>', 'today'));
    case 'before':
      return known(compared('<'));
    case 'after':
      return known(compared('>'));
    case 'at_least':
      return known(compared('>=', String(Number(value))));
  }
}

function notInCel(expression: string): string {
  if (/ != null$/.test(expression)) return expression.replace('!=', '==');
  return expression.startsWith('has(') ? `!${expression}` : `!(${expression})`;
}

/** Whether the builder offers this operator for this field. */
export const isOffered = ({ field, operator }: Row) => {
  const found = fieldOf(field);
  return found !== undefined && OPERATORS_OF[found.kind].includes(operator);
};
