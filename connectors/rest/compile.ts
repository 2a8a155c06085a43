import { Exit, Failure, type TaskErrorCode } from '@gatehouse/connector';
import { type Document, ExpressionError, type Path } from '@gatehouse/connector/declarative';
import type {
  Definition,
  Paginate,
  RawConditions,
  RawErrors,
  RawGroup,
  RawList,
  RawRequest,
  RawStep,
} from './definition.ts';
import { compileValue, type Value } from './expression.ts';
import { compileTemplate, type Template } from './template.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** JSON with templates in the place of texts. */
export type Body = Template | { list: Body[] } | { map: [string, Body][] } | { value: unknown };
export type CompiledRequest = {
  method: Method;
  path: Template;
  query: [string, Template][];
  headers: [string, Template][];
  body: Body | undefined;
  form: [string, Template][] | undefined;
};
export type CompiledList = {
  /** Undefined for a fixed list. */
  request: CompiledRequest | undefined;
  values: unknown[];
  items: Value;
  itemsText: string;
  skip: Value | undefined;
  paginate: Pagination | undefined;
};
export type Pagination = Omit<Paginate, 'next' | 'more' | 'total'> & {
  next: Value | undefined;
  more: Value | undefined;
  total: Value | undefined;
};
/** A condition over a response. */
export type Condition = (reply: { status: number; scope: Record<string, unknown> }) => boolean;
export type ErrorMap = [TaskErrorCode, Condition][];
export type CompiledStep = {
  request: CompiledRequest;
  when: Value | undefined;
  success: Condition | undefined;
  already: Condition | undefined;
  errors: ErrorMap;
  capture: [string, Value][];
  repeat: boolean;
};
export type CompiledSteps = { steps: CompiledStep[]; usesPassword: boolean };
export type Members = { list: CompiledList; account: Value; accounts: string };
/** A group or a license: both are granted to accounts. */
export type Entitlement = {
  kind: 'group' | 'license';
  slug: string;
  name: string;
  list: CompiledList;
  record: [string, Value][];
  members: Members | undefined;
  add: CompiledSteps | undefined;
  remove: CompiledSteps | undefined;
};
export type Membership = {
  slug: string;
  source: { value: Value } | { list: CompiledList; id: Value; name: Value | undefined };
};
export const stepActions = ['create', 'update', 'delete', 'suspend', 'unsuspend', 'reset_password'] as const;
export type StepAction = (typeof stepActions)[number];
export type CompiledAccount = {
  slug: string;
  name: string;
  list: CompiledList;
  record: [string, Value][];
  read: { request: CompiledRequest; item: Value } | undefined;
  memberships: Membership[];
  find: { request: CompiledRequest; id: Value } | undefined;
  actions: Partial<Record<StepAction, CompiledSteps>>;
};
export type Compiled = {
  definition: Definition;
  headers: [string, Template][];
  ok: Value | undefined;
  errors: ErrorMap;
  check: CompiledRequest | undefined;
  entitlements: Entitlement[];
  accounts: CompiledAccount[];
};

const MOST_PROBLEMS = 20;
const AFTER = ['response', 'status', 'headers'];

/** Compiles the expressions of a definition. Throws a Failure that lists every mistake with its line and column. */
export function compile(document: Document<Definition>): Compiled {
  const { value: definition } = document;
  const problems: string[] = [];
  const compiler = createCompiler((path, message, offset) => {
    problems.push(document.failure(path, message, offset).message);
  });
  const compiled = compileDefinition(definition, compiler);
  if (problems.length > 0) throw new Failure(problems.slice(0, MOST_PROBLEMS).join('\n'), Exit.usage);
  return compiled;
}

type Compiler = ReturnType<typeof createCompiler>;

function createCompiler(report: (path: Path, message: string, offset?: number) => void) {
  const never: Value = () => null;

  const value = (path: Path, text: string, names: readonly string[], offset = 0): Value => {
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
        capture: values([...at, 'capture'], each.capture ?? {}, [...all, ...AFTER]),
        repeat: each.repeat ?? (each.get ?? each.put ?? each.delete) !== undefined,
      };
    });
    return { steps: compiled, usesPassword: mentionsPassword(raw) };
  };

  return { report, value, maybe, values, templates, request, list, errors, steps };
}

/** True if a condition holds. A field that is missing means that it does not. */
export function holds(test: Value, scope: Record<string, unknown>): boolean {
  try {
    return test(scope) === true;
  } catch {
    return false;
  }
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

function compileDefinition(definition: Definition, compiler: Compiler): Compiled {
  const { report, maybe, templates } = compiler;
  const accountSlugs = Object.keys(definition.accounts);
  if (definition.auth !== undefined && Object.keys(definition.auth).length !== 1)
    report(['auth'], 'auth needs exactly one kind of authentication');
  const entitlements = (['group', 'license'] as const).flatMap((kind) => {
    const section = `${kind}s` as const;
    return Object.entries(definition[section] ?? {}).map(([slug, raw]) =>
      compileEntitlement({ kind, slug, path: [section, slug], raw, accountSlugs }, compiler),
    );
  });
  const slugs = [...entitlements.map(({ slug }) => slug), ...accountSlugs];
  for (const slug of slugs) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(slug))
      report([], `the slug "${slug}" must be 1 to 64 of A-Z a-z 0-9 _ -`);
    if (slugs.indexOf(slug) !== slugs.lastIndexOf(slug)) report([], `the slug "${slug}" is used twice`);
  }
  return {
    definition,
    headers: templates(['headers'], definition.headers, []),
    ok: maybe(['ok'], definition.ok, AFTER),
    errors: compiler.errors(['errors'], definition.errors),
    check: definition.check && compiler.request(['check'], definition.check, []),
    entitlements,
    accounts: accountSlugs.map((slug) => compileAccount(slug, definition, entitlements, compiler)),
  };
}

type RawEntitlement = {
  kind: 'group' | 'license';
  slug: string;
  path: Path;
  raw: RawGroup;
  accountSlugs: string[];
};

function compileEntitlement(
  { kind, slug, path, raw, accountSlugs }: RawEntitlement,
  { report, value, values, list, steps }: Compiler,
): Entitlement {
  const [firstSlug = ''] = accountSlugs;
  const compileMembers = ({ account, accounts, ...rest }: NonNullable<RawGroup['members']>): Members => {
    if (accounts === undefined && accountSlugs.length > 1)
      report([...path, 'members'], 'name the account type in "accounts", because there are several');
    if (accounts !== undefined && !accountSlugs.includes(accounts))
      report([...path, 'members', 'accounts'], `there is no account type "${accounts}"`);
    return {
      list: list([...path, 'members'], rest, ['group']),
      account: value([...path, 'members', 'account'], account, ['group', 'item']),
      accounts: accounts ?? firstSlug,
    };
  };
  const granting = ['account', 'group'];
  return {
    kind,
    slug,
    name: raw.name,
    list: list([...path, 'list'], raw.list),
    record: values([...path, 'record'], raw.record, ['item']),
    members: raw.members && compileMembers(raw.members),
    add: steps([...path, 'add'], raw.add, granting),
    remove: steps([...path, 'remove'], raw.remove, granting),
  };
}

function compileAccount(
  slug: string,
  { accounts }: Definition,
  entitlements: Entitlement[],
  { report, value, maybe, values, request, list, steps }: Compiler,
): CompiledAccount {
  const raw = accounts[slug] as Definition['accounts'][string];
  const path: Path = ['accounts', slug];
  const { find, ...actions } = raw.actions ?? {};
  const membershipOf = (name: string, source: NonNullable<typeof raw.memberships>[string]): Membership => {
    const at = [...path, 'memberships', name];
    if (!entitlements.some((each) => each.slug === name))
      report(at, `there is no group or license "${name}"`);
    if (typeof source === 'string') return { slug: name, source: { value: value(at, source, ['item']) } };
    const { id, name: label, ...rest } = source;
    return {
      slug: name,
      source: {
        list: list(at, rest, ['account']),
        id: value([...at, 'id'], id, ['account', 'item']),
        name: maybe([...at, 'name'], label, ['account', 'item']),
      },
    };
  };
  const compiledActions = Object.fromEntries(
    stepActions.flatMap((action) => {
      const compiled = steps([...path, 'actions', action], actions[action], ['account']);
      return compiled ? [[action, compiled]] : [];
    }),
  );
  const creates = actions.create?.some(({ capture }) => capture?.id !== undefined) ?? true;
  if (!creates) report([...path, 'actions', 'create'], 'a step of create must capture the new id');
  return {
    slug,
    name: raw.name,
    list: list([...path, 'list'], raw.list),
    record: values([...path, 'record'], raw.record, ['item']),
    read: raw.read && {
      request: request([...path, 'read'], raw.read, ['account']),
      item: value([...path, 'read', 'item'], raw.read.item ?? 'response', AFTER),
    },
    memberships: Object.entries(raw.memberships ?? {}).map(([name, source]) => membershipOf(name, source)),
    find: find && {
      request: request([...path, 'actions', 'find'], find, ['account']),
      id: value([...path, 'actions', 'find', 'id'], find.id, ['account', ...AFTER]),
    },
    actions: compiledActions,
  };
}
