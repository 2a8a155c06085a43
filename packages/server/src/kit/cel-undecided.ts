import { isCelError } from '@bufbuild/cel';
import { access, type Expr, partsOf } from '../../../protocol/src/cel-parts.ts';

/** Why a condition is neither true nor false. */
export interface Reason {
  /** `missing`: no value. `type`: a value that cannot be compared, such as a number with a text. `cost`: too many elements. */
  code: 'missing' | 'type' | 'cost';
  /** The field as the condition names it. Null: not known. */
  field: string | null;
}

export interface Undecided {
  reasons: Reason[];
}

export const COSTS_TOO_MUCH = 'The condition exceeds the cost limit.';

interface Place {
  /** The field that the expression reads, or the first one of an operation. */
  field: string | null;
  /** The last name of a field: errors of missing fields end with it. */
  name: string | null;
}

/** Returns a function that explains a result that is not a boolean. */
export function explaining(root: Expr): (result: unknown) => Undecided {
  const places = placesOf(root);
  const reasonOf = (error: { message: string; exprId?: bigint | undefined }): Reason => {
    if (error.message === COSTS_TOO_MUCH) return { code: 'cost', field: null };
    const at = places.get(String(error.exprId)) ?? [];
    const missing = /^field not found: (.*)$/s.exec(error.message)?.[1];
    if (missing !== undefined)
      return { code: 'missing', field: at.find(({ name }) => name === missing)?.field ?? missing };
    return {
      code: error.message.includes('null_type') ? 'missing' : 'type',
      field: at.find(({ field }) => field !== null)?.field ?? null,
    };
  };
  return (result) => {
    if (!isCelError(result)) return { reasons: [{ code: 'type', field: fieldWithin(root) }] };
    const others = Array.isArray(result.cause) ? result.cause.filter(isCelError) : [];
    const reasons = [result, ...others].map(reasonOf);
    const different = new Map(reasons.map((reason) => [`${reason.code} ${reason.field}`, reason]));
    return { reasons: [...different.values()] };
  };
}

/** The evaluator names a field by its own expression if it is written with a dot, otherwise by that of its variable. */
function placesOf(root: Expr): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  const add = (id: bigint, place: Place) => {
    const before = places.get(String(id));
    if (before === undefined) places.set(String(id), [place]);
    else before.push(place);
  };
  const visit = (expr: Expr) => {
    const read = access(expr);
    if (read === undefined) add(expr.id, { field: fieldWithin(expr), name: null });
    else {
      const place = { field: pathOf(expr) ?? null, name: read[1] };
      add(expr.id, place);
      add(variableOf(expr).id, place);
    }
    for (const part of partsOf(expr)) visit(part);
  };
  visit(root);
  return places;
}

function variableOf(expr: Expr): Expr {
  const operand = access(expr)?.[0];
  return operand === undefined ? expr : variableOf(operand);
}

/** Returns a field as CEL writes it, such as `user.attributes["cost center"]`. */
function pathOf(expr: Expr): string | undefined {
  if (expr.exprKind.case === 'identExpr') return expr.exprKind.value.name;
  const [operand, field] = access(expr) ?? [];
  const before = operand && pathOf(operand);
  if (before === undefined || field === undefined) return undefined;
  return /^[A-Za-z_]\w*$/.test(field) ? `${before}.${field}` : `${before}[${JSON.stringify(field)}]`;
}

/** Returns the first field that is read in an expression. */
function fieldWithin(expr: Expr): string | null {
  if (access(expr) !== undefined) return pathOf(expr) ?? null;
  for (const part of partsOf(expr)) {
    const field = fieldWithin(part);
    if (field !== null) return field;
  }
  return null;
}
