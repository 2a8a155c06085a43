import { RE2JS } from '@bufbuild/re2';
import { parsed, refusing } from './cel.ts';
import { type Expr, partsOf } from './cel-parts.ts';

const PARTS: Record<string, (name: string, text: string) => boolean> = {
  startsWith: (name, text) => name.startsWith(text),
  endsWith: (name, text) => name.endsWith(text),
  contains: (name, text) => name.includes(text),
};

/** Whether a text in a valid condition is this name, without regard to case, or a part or pattern that it compares with such names. */
export function canName(condition: string, name: string): boolean {
  const { expr } = parsed(condition, refusing(condition, 'condition'));
  const lower = name.toLowerCase();
  const visit = (part: Expr): boolean => {
    const { case: kind, value } = part.exprKind;
    if (kind === 'constExpr')
      return value.constantKind.case === 'stringValue' && value.constantKind.value.toLowerCase() === lower;
    if (kind === 'callExpr') {
      const text = textIn(value.args.at(-1));
      if (text !== undefined && value.function === 'matches' && RE2JS.compile(text).test(name)) return true;
      if (text !== undefined && PARTS[value.function]?.(lower, text.toLowerCase()) === true) return true;
    }
    return partsOf(part).some(visit);
  };
  return visit(expr);
}

const textIn = (expr: Expr | undefined) =>
  expr?.exprKind.case === 'constExpr' && expr.exprKind.value.constantKind.case === 'stringValue'
    ? expr.exprKind.value.constantKind.value
    : undefined;
