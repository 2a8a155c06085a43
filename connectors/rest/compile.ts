import { Exit, Failure } from '@gatehouse/connector';
import type { Document, Path } from '@gatehouse/connector/declarative';
import {
  type Compiled,
  type CompiledAccount,
  type Entitlement,
  type Find,
  type Join,
  type Members,
  type Membership,
  stepActions,
} from './compiled.ts';
import { AFTER, type Compiler, createCompiler, type Report } from './compiler.ts';
import type { Definition, RawGroup } from './definition.ts';
import { fieldsOfSettings } from './settings.ts';

const MOST_PROBLEMS = 20;

/** Compiles the expressions of a definition. Throws a Failure that lists every mistake with its line and column. */
export function compile(document: Document<Definition>): Compiled {
  const { value: definition } = document;
  const problems: string[] = [];
  const report: Report = (path, message, offset) => {
    problems.push(document.failure(path, message, offset).message);
  };
  const compiler = createCompiler(
    report,
    new Set([...Object.keys(fieldsOfSettings(definition)), ...Object.keys(definition.derived ?? {})]),
  );
  const compiled = compileDefinition(definition, compiler);
  if (problems.length > 0) throw new Failure(problems.slice(0, MOST_PROBLEMS).join('\n'), Exit.usage);
  return compiled;
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
    derived: Object.entries(definition.derived ?? {}).map(([name, { value, ...raw }]) => ({
      name,
      request: compiler.request(['derived', name], raw, []),
      value: compiler.value(['derived', name, 'value'], value, AFTER),
    })),
    check: definition.check && compiler.request(['check'], definition.check, []),
    whoAmI: definition.who_am_i && compileWhoAmI(definition.who_am_i, accountSlugs, compiler),
    entitlements,
    accounts: accountSlugs.map((slug) => compileAccount(slug, definition, entitlements, compiler)),
  };
}

function compileWhoAmI(
  { id, accounts, ...raw }: NonNullable<Definition['who_am_i']>,
  accountSlugs: string[],
  { report, request, value }: Compiler,
): NonNullable<Compiled['whoAmI']> {
  const path = ['who_am_i'];
  if (accounts === undefined && accountSlugs.length > 1)
    report(path, 'name the account type in "accounts", because there are several');
  if (accounts !== undefined && !accountSlugs.includes(accounts))
    report([...path, 'accounts'], `there is no account type "${accounts}"`);
  return {
    request: request(path, raw, []),
    id: value([...path, 'id'], id, AFTER),
    accounts: accounts ?? accountSlugs[0] ?? '',
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
  { report, value, maybe, values, list, steps }: Compiler,
): Entitlement {
  const [firstSlug = ''] = accountSlugs;
  const compileMembers = ({
    account,
    accounts,
    group: nested,
    parent,
    ...rest
  }: NonNullable<RawGroup['members']>): Members => {
    if (accounts === undefined && accountSlugs.length > 1)
      report([...path, 'members'], 'name the account type in "accounts", because there are several');
    if (accounts !== undefined && !accountSlugs.includes(accounts))
      report([...path, 'members', 'accounts'], `there is no account type "${accounts}"`);
    return {
      list: list([...path, 'members'], rest, ['group']),
      account: value([...path, 'members', 'account'], account, ['group', 'item']),
      group: maybe([...path, 'members', 'group'], nested, ['group', 'item']),
      parent: maybe([...path, 'members', 'parent'], parent, ['item']),
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
  compiler: Compiler,
): CompiledAccount {
  const { report, value, maybe, values, request, list, steps, refuseUnknown } = compiler;
  const raw = accounts[slug] as Definition['accounts'][string];
  const path: Path = ['accounts', slug];
  const { find, ...actions } = raw.actions ?? {};
  const joins = Object.entries(raw.joins ?? {}).map(([name, { key, for: own, ...rest }]): Join => {
    const at = [...path, 'joins', name];
    return {
      name,
      list: list(at, rest),
      key: value([...at, 'key'], key, ['item']),
      for: value(own === undefined ? at : [...at, 'for'], own ?? raw.record.id, ['item']),
    };
  });
  const joined = new Set(joins.map(({ name }) => name));
  const names = joins.length > 0 ? ['item', 'joined'] : ['item'];
  const checkJoined = (at: Path, text: string) => refuseUnknown('joined', joined, at, text);
  const membershipOf = (name: string, source: NonNullable<typeof raw.memberships>[string]): Membership => {
    const at = [...path, 'memberships', name];
    if (!entitlements.some((each) => each.slug === name))
      report(at, `there is no group or license "${name}"`);
    if (typeof source === 'string') {
      checkJoined(at, source);
      return { slug: name, source: { value: value(at, source, names) } };
    }
    const { id, name: label, via, ...rest } = source;
    return {
      slug: name,
      source: {
        list: list(at, rest, ['account']),
        id: value([...at, 'id'], id, ['account', 'item']),
        name: maybe([...at, 'name'], label, ['account', 'item']),
        via: maybe([...at, 'via'], via, ['account', 'item']),
      },
    };
  };
  const compiledActions = Object.fromEntries(
    stepActions.flatMap((action) => {
      const compiled = steps([...path, 'actions', action], actions[action], ['account']);
      return compiled ? [[action, compiled]] : [];
    }),
  );
  for (const action of ['suspend', 'unsuspend'] as const) {
    const given = actions[action];
    if (given && given.at(-1)?.expect === undefined)
      report(
        [...path, 'actions', action],
        `the last step of ${action} needs "expect": how its response shows the new state`,
      );
  }
  const creates = actions.create?.some(({ capture }) => capture?.id !== undefined) ?? true;
  if (!creates) report([...path, 'actions', 'create'], 'a step of create must capture the new id');
  for (const [name, text] of Object.entries(raw.record)) checkJoined([...path, 'record', name], text);
  return {
    slug,
    name: raw.name,
    list: list([...path, 'list'], raw.list),
    joins,
    record: values([...path, 'record'], raw.record, names),
    read: raw.read && {
      request: request([...path, 'read'], raw.read, ['account']),
      item: value([...path, 'read', 'item'], raw.read.item ?? 'response', AFTER),
    },
    memberships: Object.entries(raw.memberships ?? {}).map(([name, source]) => membershipOf(name, source)),
    find: find && compileFind([...path, 'actions', 'find'], find, compiler),
    actions: compiledActions,
  };
}

type RawFind = NonNullable<NonNullable<Definition['accounts'][string]['actions']>['find']>;

function compileFind(
  path: Path,
  { id, key, for: wanted, ...rest }: RawFind,
  { value, list }: Compiler,
): Find {
  return {
    list: list(path, rest, ['account']),
    id: value([...path, 'id'], id, ['account', 'item']),
    key: value([...path, 'key'], key, ['account', 'item']),
    for: value([...path, 'for'], wanted, ['account']),
  };
}
