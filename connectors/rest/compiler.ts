import type { TaskErrorCode } from '@gatehouse/connector';
import { ExpressionError, type Path } from '@gatehouse/connector/declarative';
import type {
  Body,
  CompiledList,
  CompiledRequest,
  CompiledStep,
  Condition,
  ErrorMap,
  Expectation,
  Method,
  Pagination,
} from './compiled.ts';
import type { Paginate, RawConditions, RawErrors, RawList, RawRequest, RawStep } from './definition.ts';
import { compileValue, holds, type Value } from './expression.ts';
import { compileTemplate, type Template } from './template.ts';

/** The variables of an expression that is evaluated after a response. */
export const AFTER = ['response', 'status', 'headers'];

export type Compiler = ReturnType<typeof createCompiler>;
/** Reports a mistake at a place of the definition, `offset` characters into its text. */
export type Report = (path: Path, message: string, offset?: number) => void;

/** Returns functions that compile the parts of a definition and report mistakes, so that all are found together. */
export function createCompiler(report: Report, settings: ReadonlySet<string>) {
  const never: Value = () => null;

  /** Reports each field of a variable that does not exist, such as a setting. */
  const refuseUnknown = (
    variable: 'settings' | 'joined',
    fields: ReadonlySet<string>,
    path: Path,
    text: string,
    offset = 0,
  ): void => {
    for (const { 1: field = '', index } of text.matchAll(
      new RegExp(`(?<![\\w.])${variable}\\.(\\w+)`, 'g'),
    )) {
      const what = variable === 'settings' ? 'setting' : 'join';
      if (!fields.has(field)) report(path, `the ${what} ${field} does not exist`, offset + index);
    }
  };
  const value = (path: Path, text: string, names: readonly string[], offset = 0): Value => {
    refuseUnknown('settings', settings, path, text, offset);
    try {
      return compileValue(text, ['settings', ...names]);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      report(path, error.message, offset + error.offset);
      return never;
    }
  };
  const maybe = (path: Path, text: string | undefined, names: readonly string[]) =>
    text === undefined ? undefined : value(path, text, names);
  const template = (path: Path, text: string, names: readonly string[]): Template =>
    compileTemplate(text, (part, offset) => value(path, part, names, offset));
  const templates = (path: Path, map: Record<string, unknown> | undefined, names: readonly string[]) =>
    Object.entries(map ?? {}).map(([name, text]): [string, Template] => [
      name,
      template([...path, name], String(text), names),
    ]);
  const values = (path: Path, map: Record<string, string | undefined>, names: readonly string[]) =>
    Object.entries(map).flatMap(([name, text]): [string, Value][] =>
      text === undefined ? [] : [[name, value([...path, name], text, names)]],
    );

  const body = (path: Path, raw: unknown, names: readonly string[]): Body => {
    if (typeof raw === 'string') return template(path, raw, names);
    if (Array.isArray(raw)) return { list: raw.map((each, index) => body([...path, index], each, names)) };
    if (typeof raw === 'object' && raw !== null)
      return {
        map: Object.entries(raw).map(([name, each]) => [name, body([...path, name], each, names)]),
      };
    return { value: raw };
  };

  const request = (path: Path, raw: RawRequest, names: readonly string[]): CompiledRequest => {
    const methods = (['get', 'post', 'put', 'patch', 'delete'] as const).filter(
      (each) => raw[each] !== undefined,
    );
    const [method = 'get'] = methods;
    if (methods.length !== 1) report(path, 'a request needs exactly one of get, post, put, patch and delete');
    if (raw.body !== undefined && raw.form !== undefined) report(path, 'a request has a body or a form');
    return {
      method: method.toUpperCase() as Method,
      path: template([...path, method], raw[method] ?? '/', names),
      query: templates([...path, 'query'], raw.query, names),
      headers: templates([...path, 'headers'], raw.headers, names),
      body: raw.body === undefined ? undefined : body([...path, 'body'], raw.body, names),
      form: raw.form === undefined ? undefined : templates([...path, 'form'], raw.form, names),
    };
  };

  const pagination = (path: Path, raw: Paginate | undefined): Pagination | undefined => {
    if (raw === undefined) return undefined;
    const { next, more, total, ...rest } = raw;
    if (raw.by === 'cursor' && raw.param === undefined) report(path, 'paginate by cursor needs param');
    if ((raw.by === 'cursor' || raw.by === 'url') && next === undefined)
      report(path, `paginate by ${raw.by} needs next`);
    if (raw.origin !== undefined && raw.by !== 'link' && raw.by !== 'url')
      report([...path, 'origin'], 'paginate.origin is for the strategies link and url');
    if ((raw.size_param === undefined) !== (raw.size === undefined))
      report(path, 'size_param and size go together');
    return {
      ...rest,
      next: maybe([...path, 'next'], next, AFTER),
      more: maybe([...path, 'more'], more, AFTER),
      total: maybe([...path, 'total'], total, AFTER),
    };
  };

  const list = (path: Path, raw: RawList, names: readonly string[] = []): CompiledList => {
    if (raw.values !== undefined && (raw.get ?? raw.post ?? raw.paginate) !== undefined)
      report(path, 'a list has values or a request');
    return {
      request: raw.values === undefined ? request(path, raw, names) : undefined,
      values: raw.values ?? [],
      items: value([...path, 'items'], raw.items ?? 'response', [...names, ...AFTER]),
      itemsText: raw.items ?? 'response',
      skip: maybe([...path, 'skip'], raw.skip, [...names, 'item']),
      paginate: pagination([...path, 'paginate'], raw.paginate),
    };
  };

  const condition = (path: Path, raw: RawConditions | undefined, names: readonly string[]) => {
    if (raw === undefined) return undefined;
    const tests = raw.map((each, index): Condition => {
      if (typeof each === 'number') return ({ status }) => status === each;
      const test = value([...path, index], each, [...names, ...AFTER]);
      return ({ scope }) => holds(test, scope);
    });
    return ((reply) => tests.some((test) => test(reply))) satisfies Condition;
  };
  const errors = (path: Path, raw: RawErrors | undefined, names: readonly string[] = []): ErrorMap =>
    Object.entries(raw ?? {}).flatMap(([code, each]): ErrorMap => {
      const test = condition([...path, code], each, names);
      return test ? [[code as TaskErrorCode, test]] : [];
    });

  const expectations = (path: Path, raw: RawStep['expect'], names: readonly string[]): Expectation[] => {
    if (raw === undefined) return [];
    if (typeof raw === 'string') return [{ that: value(path, raw, names), otherwise: undefined, text: raw }];
    return raw.map(({ that, else: otherwise }, index) => ({
      that: value([...path, index, 'that'], that, names),
      otherwise: template([...path, index, 'else'], otherwise, names),
      text: that,
    }));
  };

  const steps = (path: Path, raw: readonly RawStep[] | undefined, names: readonly string[]) => {
    if (raw === undefined) return undefined;
    const all = [...names, 'captured', 'password'];
    const compiled = raw.map((each, index): CompiledStep => {
      const at = [...path, index];
      return {
        request: request(at, each, all),
        when: maybe([...at, 'when'], each.when, all),
        success: condition([...at, 'success'], each.success, all),
        already: condition([...at, 'already'], each.already, all),
        errors: errors([...at, 'errors'], each.errors, all),
        expect: expectations([...at, 'expect'], each.expect, [...all, ...AFTER]),
        created: condition([...at, 'created'], each.created, all),
        capture: values([...at, 'capture'], each.capture ?? {}, [...all, ...AFTER]),
        repeat: each.repeat ?? (each.get ?? each.put ?? each.delete) !== undefined,
      };
    });
    return { steps: compiled, usesPassword: mentionsPassword(raw) };
  };

  return { report, value, maybe, values, templates, request, list, errors, steps, refuseUnknown };
}

/** True if a template of the steps inserts `password`. */
function mentionsPassword(raw: unknown): boolean {
  if (typeof raw === 'string')
    return [...raw.matchAll(/\{\{([\s\S]*?)\}\}/g)].some(([, text]) =>
      /(^|[^.\w"'])password\b(?!["'])/.test(text ?? ''),
    );
  if (typeof raw !== 'object' || raw === null) return false;
  return Object.values(raw).some(mentionsPassword);
}
