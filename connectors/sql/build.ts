import {
  type Connector,
  deliverToProgram,
  type ListContext,
  type TaskContext,
  text,
  VERSION,
  type Wanted,
} from '@gatehouse/connector';
import { literalSecrets, settingsOf } from '@gatehouse/connector/declarative';
import { listAccounts } from './accounts.ts';
import { type DefinitionFile, readDefinition } from './definition.ts';
import type { Driver } from './drivers/driver.ts';
import { openDriver } from './drivers/index.ts';
import { placesOfSecrets, targetOf } from './dsn.ts';
import { meaningOf } from './errors.ts';
import { requireColumns } from './expressions.ts';
import { slugify } from './functions.ts';
import type { Hidden } from './hidden.ts';
import { testQuery } from './paging.ts';
import { planOf, type TypePlan } from './plan.ts';
import { readAccount } from './read-back.ts';
import { type Group, readGroups } from './resources.ts';
import type { Reader } from './statements.ts';
import {
  changeAccount,
  createAccount,
  findAccount,
  resetPassword,
  updateAccount,
  type Work,
  workOf,
} from './tasks.ts';

type System = { driver: Driver; deliverTo: string | undefined; hidden: Hidden };

/** Reads and compiles a definition. Throws a Failure that names line and column of each mistake. */
export function checkDefinition(file: string): DefinitionFile {
  const document = readDefinition(file);
  planOf(document);
  return document;
}

/** Makes a connector of a definition. Its placeholders are the settings. */
export function connectorFrom(document: DefinitionFile, { name }: { name?: string } = {}): Connector {
  const plan = planOf(document);
  const { app_name, app_description, connect } = document.value;
  const ofKind = (kind: TypePlan['kind']) => plan.types.filter((type) => type.kind === kind);
  const entries = (kind: TypePlan['kind'], list: (type: TypePlan) => object) =>
    Object.fromEntries(ofKind(kind).map((type) => [type.slug, { name: type.name, ...list(type) }]));

  const withReader = async <T>({ driver }: System, work: (reader: Reader) => Promise<T>): Promise<T> => {
    const session = await driver.connect();
    try {
      return await work({ document, driver, session });
    } finally {
      await session.close();
    }
  };
  /**
   * Reads within one snapshot, so that rows which change in the meantime do not shift the pages: no list calls `mayShift()`. Tables that
   * ignore the snapshot, as those of MyISAM do, lose no row either: a query with ?<Limit> and ?<Offset> is one statement, and a cursor
   * begins behind a key.
   */
  async function* reading<T>(
    { driver }: System,
    list: (reader: Reader) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const session = await driver.connect();
    try {
      await session.beginSnapshot();
      yield* list({ document, driver, session });
    } finally {
      await session.rollback().catch(() => {});
      await session.close().catch(() => {});
    }
  }
  const task =
    <A, R>(run: (work: Work, given: A) => Promise<R>) =>
    (system: System, given: A, { resourceType }: TaskContext): Promise<R> =>
      withReader(system, (reader) =>
        run(workOf({ reader, plan, deliverTo: system.deliverTo }, resourceType), given),
      );
  const some = (has: (type: TypePlan) => unknown) => plan.types.some(has);
  const changes = (type: TypePlan) =>
    [...(type.statics ?? []), ...(type.dynamic?.map ?? [])].some(({ grant, revoke }) => grant ?? revoke);
  const way = (which: 'suspend' | 'unsuspend' | 'delete') =>
    some((type) => type[which])
      ? { [which]: task((work, { id }: { id: string }) => changeAccount(work, id, which)) }
      : {};

  const listed = (type: TypePlan) => ({
    list: (system: System, { skip }: ListContext) =>
      reading(system, async function* (reader) {
        for await (const { record } of readGroups(reader, type, skip)) yield record;
      }),
  });

  return {
    name:
      name ??
      (slugify(app_name)
        .replace(/^[^a-z]+/, '')
        .slice(0, 60) ||
        'sql'),
    version: VERSION,
    description: app_description ?? `Accounts of ${app_name}`,
    config: {
      ...settingsOf(connect),
      deliverTo: text('program that receives new passwords as JSON on standard input', {
        optional: true,
        local: true,
      }),
    },
    connect: async (values: Record<string, string | undefined>): Promise<System> => ({
      driver: await openDriver(targetOf(connect, values)),
      deliverTo: values.deliverTo,
      hidden: new Map(),
    }),
    check: (system: System) =>
      withReader(system, async (reader) => {
        for (const type of plan.types) await readSome(reader, type);
      }),
    groups: entries('group', listed),
    licenses: entries('license', listed),
    accounts: entries('account', (type) => ({
      list: (system: System, context: ListContext) =>
        reading(system, (reader) => listAccounts(reader, plan, type, context, system.hidden)),
      get: (system: System, id: string, wanted?: Wanted) =>
        withReader(system, async (reader) => {
          await reader.session.beginSnapshot();
          try {
            return await readAccount(reader, plan, type, id, wanted);
          } finally {
            await reader.session.rollback().catch(() => {});
          }
        }),
    })),
    tasks: {
      ...(some(({ create }) => create)
        ? {
            find: task((work, account: Parameters<typeof findAccount>[1]) => findAccount(work, account)),
            create: task(
              (
                work,
                {
                  account,
                  memberships,
                }: Parameters<NonNullable<NonNullable<Connector['tasks']>['create']>>[1],
              ) => createAccount(work, account, memberships),
            ),
          }
        : {}),
      ...(some(changes)
        ? {
            update: task(
              (
                work,
                {
                  account,
                  changes: wanted,
                }: Parameters<NonNullable<NonNullable<Connector['tasks']>['update']>>[1],
              ) => updateAccount(work, account, wanted),
            ),
          }
        : {}),
      ...way('suspend'),
      ...way('unsuspend'),
      ...way('delete'),
      ...(some((type) => type.resetPassword)
        ? { resetPassword: task((work, { id }: { id: string }) => resetPassword(work, id)) }
        : {}),
    },
    deliver: ({ deliverTo }: System, message: { account: string; password: string }) =>
      deliverToProgram(deliverTo, message),
    mapError: meaningOf,
    literalSecrets: literalSecrets(document, placesOfSecrets(document.value)),
  } as unknown as Connector;
}

/** Reads the first rows of a type, which shows that the credentials, the tables and the columns are there, and that pages lose nothing. */
async function readSome(reader: Reader, type: TypePlan): Promise<void> {
  const problem = (id: string, why: string) => {
    throw new Error(`${type.slug} ${id}: ${why}`);
  };
  const row = await testQuery(reader, type.list);
  if (row) requireColumns(reader.document, row, Object.values(type.map));
  if (type.kind === 'account') return;
  let first: Group | undefined;
  for await (const group of readGroups(reader, type, problem)) {
    first = group;
    break;
  }
  if (first === undefined) return;
  const queries = [...(type.dynamic ? [type.dynamic.query] : []), ...type.grants.map(({ query }) => query)];
  for (const query of queries) await testQuery(reader, query, { resource: first.resource });
}
