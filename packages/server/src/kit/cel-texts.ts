import { RE2JS } from '@bufbuild/re2';
import { access, type Expr, partsOf } from '../../../protocol/src/cel-parts.ts';
import { parsed, refusing } from './cel.ts';
import { nfc } from './nfc.ts';

const PARTS: Record<string, (name: string, text: string) => boolean> = {
  startsWith: (name, text) => name.startsWith(text),
  endsWith: (name, text) => name.endsWith(text),
  contains: (name, text) => name.includes(text),
};

/** Whether a text in a valid condition is this name, without regard to case, or a part or pattern that it compares with such names. */
export function canName(condition: string, given: string): boolean {
  const { expr } = parsed(condition, refusing(condition, 'condition'));
  const name = nfc(given);
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

/**
 * Whether a valid condition uses names from the list `variable.field` in another way than comparing them with texts that it contains,
 * so that any name can matter. The size of the list is not a name.
 */
export function usesAnyName(condition: string, variable: string, field: string): boolean {
  const fieldIn = (part: Expr) => {
    const [operand, name] = access(part) ?? [];
    return nameOf(operand) === variable ? name : undefined;
  };
  const isList = (part: Expr) => fieldIn(part) === field && !isTestOfField(part);
  const visit = (part: Expr, element: string | undefined): boolean => {
    const isName = (one: Expr) => {
      const name = nameOf(one);
      return isList(one) || (name !== undefined && (name === variable || name === element));
    };
    if (isName(part)) return true;
    if (fieldIn(part) !== undefined) return false;
    const { case: kind, value } = part.exprKind;
    if (kind === 'callExpr' && meetsTexts(value, isName)) return false;
    if (kind !== 'comprehensionExpr' || value.iterRange === undefined || !isList(value.iterRange))
      return partsOf(part).some((one) => visit(one, element));
    const { iterRange, iterVar } = value;
    return partsOf(part).some((one) => one !== iterRange && visit(one, iterVar));
  };
  return visit(parsed(condition, refusing(condition, 'condition')).expr, undefined);
}

type Call = Extract<Expr['exprKind'], { case: 'callExpr' }>['value'];

/** Whether a call measures a list of names, or compares names with nothing but literals. */
function meetsTexts({ function: name, target, args }: Call, isName: (part: Expr) => boolean): boolean {
  const operands = target === undefined ? args : [target, ...args];
  if (!operands.some(isName)) return false;
  if (name === 'size') return true;
  return COMPARES.test(name) && operands.every((part) => isName(part) || isLiteral(part));
}

const COMPARES = /^(_[!=]=_|@in|startsWith|endsWith|contains|matches)$/;

const isLiteral = ({ exprKind: { case: kind, value } }: Expr): boolean =>
  kind === 'constExpr' || (kind === 'listExpr' && value.elements.every(isLiteral));

const isTestOfField = ({ exprKind: { case: kind, value } }: Expr) => kind === 'selectExpr' && value.testOnly;

const nameOf = (expr: Expr | undefined) =>
  expr?.exprKind.case === 'identExpr' ? expr.exprKind.value.name : undefined;

const textIn = (expr: Expr | undefined) =>
  expr?.exprKind.case === 'constExpr' && expr.exprKind.value.constantKind.case === 'stringValue'
    ? expr.exprKind.value.constantKind.value
    : undefined;
