import { tokensOf } from './sql.ts';

/** The schema after all migrations, as far as it concerns who writes what. */
export interface Schema {
  tables: Set<string>;
  /** The text of each view's query. */
  views: Map<string, string>;
  /** The text of each function's body. */
  functions: Map<string, string>;
  triggers: Map<string, { table: string; calls: string }>;
}

const OBJECT = 'create (?:or replace )?(?:unlogged )?';
const STATEMENT = new RegExp(
  [
    `${OBJECT}(?<kind>table|view) (?:if not exists )?(?<relation>\\w+)(?<rest>[^;]*);`,
    `${OBJECT}function (?<function>\\w+)[^$;]*?(?:\\$\\$(?<body>[\\s\\S]*?)\\$\\$|\\breturn (?<expression>[^;]*);)`,
    `${OBJECT}(?:constraint )?trigger (?<trigger>\\w+)(?<timing>[^;]*?) on (?<on>\\w+)(?<action>[^;]*?)execute function (?<calls>\\w+)`,
    'drop (?<dropped>table|view|function|trigger) (?:if exists )?(?<name>\\w+)(?<arguments>[^;]*)',
    'alter (?:table|view) (?<old>\\w+) rename to (?<new>\\w+)',
    'alter table (?<parent>\\w+) attach partition (?<partition>\\w+)',
    'alter table \\w+ detach partition (?<detached>\\w+)',
  ].join('|'),
  'gi',
);

/** Applies migrations in order, as texts: only definitions count. */
export function schemaOf(migrations: string[]): Schema {
  const schema: Schema = { tables: new Set(), views: new Map(), functions: new Map(), triggers: new Map() };
  for (const text of migrations) {
    const plain = withoutComments(text).replaceAll(/\s+/g, ' ');
    for (const { groups = {} } of plain.matchAll(STATEMENT)) apply(schema, groups);
  }
  return schema;
}

function apply(schema: Schema, found: Record<string, string | undefined>) {
  const { kind, relation, rest, body, trigger, on, calls, dropped, name } = found;
  if (kind === 'table' && relation && !/^ partition of|^[.]/i.test(rest ?? '')) schema.tables.add(relation);
  if (kind === 'view' && relation) schema.views.set(relation, rest ?? '');
  if (found.function) schema.functions.set(found.function, body ?? found.expression ?? '');
  if (trigger && on && calls) schema.triggers.set(trigger, { table: on, calls });
  if (found.old && found.new && schema.tables.delete(found.old)) schema.tables.add(found.new);
  if (found.parent && found.partition) attach(schema, found.parent, found.partition);
  if (found.detached && schema.views.delete(found.detached)) schema.tables.add(found.detached);
  if (dropped && name) drop(schema, dropped, name);
}

/** The use of a partition is a use of its table. */
function attach({ tables, views }: Schema, parent: string, partition: string) {
  if (tables.delete(partition)) views.set(partition, ` as select * from ${parent}`);
}

function drop({ tables, views, functions, triggers }: Schema, kind: string, name: string) {
  switch (kind) {
    case 'table':
      tables.delete(name);
      break;
    case 'view':
      views.delete(name);
      break;
    case 'function':
      functions.delete(name);
      break;
    default:
      triggers.delete(name);
  }
  const isGone = (trigger: { table: string; calls: string }) =>
    (kind === 'table' && trigger.table === name) || (kind === 'function' && trigger.calls === name);
  for (const [trigger, about] of triggers) if (isGone(about)) triggers.delete(trigger);
}

/** Without `--` comments, which may hold anything; strings stay as they are. */
const withoutComments = (text: string) =>
  text.replaceAll(/'(?:[^']|'')*'|--[^\n]*/g, (part) => (part.startsWith('--') ? '' : part));

/** Whether a text calls a function whose name begins with `pg_advisory` or `pg_try_advisory`. */
export const takesAdvisoryLock = (text: string) =>
  tokensOf(text).some((token) => /^pg_(try_)?advisory/.test(token));
