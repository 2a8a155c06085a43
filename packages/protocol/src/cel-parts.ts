import type { parse } from '@bufbuild/cel';

export type Expr = NonNullable<ReturnType<typeof parse>['expr']>;

/** Returns the expressions directly inside an expression. */
export function partsOf({ exprKind: { case: kind, value } }: Expr): Expr[] {
  switch (kind) {
    case 'selectExpr':
      return present([value.operand]);
    case 'callExpr':
      return present([value.target, ...value.args]);
    case 'listExpr':
      return value.elements;
    case 'structExpr':
      return present(
        value.entries.flatMap((entry) => [
          entry.keyKind.case === 'mapKey' ? entry.keyKind.value : undefined,
          entry.value,
        ]),
      );
    case 'comprehensionExpr':
      return present([value.iterRange, value.accuInit, value.loopCondition, value.loopStep, value.result]);
    default:
      return [];
  }
}

const present = (parts: (Expr | undefined)[]) => parts.filter((part) => part !== undefined);

/** The operand and the field of `a.b` and `a["b"]`. */
export function access({
  exprKind: { case: kind, value },
}: Expr): [operand: Expr, field: string] | undefined {
  if (kind === 'selectExpr' && value.operand !== undefined) return [value.operand, value.field];
  if (kind !== 'callExpr' || value.function !== '_[_]') return undefined;
  const [operand, key] = value.args;
  const literal = key?.exprKind.case === 'constExpr' ? key.exprKind.value.constantKind : undefined;
  return operand !== undefined && literal?.case === 'stringValue' ? [operand, literal.value] : undefined;
}

/** Writes the texts and the names of fields in NFC, also those with escaped characters. */
export function normalizeTexts(expr: Expr) {
  const { case: kind, value } = expr.exprKind;
  if (kind === 'constExpr' && value.constantKind.case === 'stringValue')
    value.constantKind.value = value.constantKind.value.normalize('NFC');
  if (kind === 'selectExpr') value.field = value.field.normalize('NFC');
  for (const part of partsOf(expr)) normalizeTexts(part);
}
