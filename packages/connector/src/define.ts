import type { ConfigOf, Fields } from './config.ts';
import type { TaskError } from './errors.ts';
import type { Log } from './progress.ts';

/** A reference from an account to a group or a license. Give the name when the list of them may not hold it. */
export type Ref = { id: string; name?: string | null | undefined };

/** Contract 2.5. `email` or `username` is required. */
export type AccountRecord<G extends string = string, L extends string = string> = {
  id: string;
  email?: string | null | undefined;
  username?: string | null | undefined;
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  display_name?: string | null | undefined;
  status?: 'active' | 'inactive' | 'suspended' | undefined;
  memberships?: { [K in G]?: Ref[] | undefined } | undefined;
  assignments?: { [K in L]?: Ref[] | undefined } | undefined;
};

/** Contract 2.5. */
export type GroupRecord = { id: string; name: string; description?: string | null | undefined };

/** Contract 2.5. `max_count` 0 means unlimited. */
export type LicenseRecord = {
  id: string;
  name: string;
  description?: string | null | undefined;
  max_count?: number | null | undefined;
  used_count?: number | null | undefined;
  is_paid?: boolean | null | undefined;
  is_unlimited?: boolean | null | undefined;
};

/** A page that can be resumed after: `next` is handed back as `from` when a later run continues behind it. */
export type Page<R> = { records: R[]; next?: string | null | undefined };

/** What a list yields: records, or pages of them. Any error that it throws ends the sync without a removal. */
export type Listing<R> = AsyncIterable<R | Page<R>> | Iterable<R | Page<R>>;

export type ListContext = {
  /** Only when the list yielded pages with `next` before: the token behind which to go on. */
  from: string | undefined;
  signal: AbortSignal;
  log: Log;
  /** Says that a record exists that could not be read. The sync then ends abandoned: nothing is removed. */
  skip(id: string, why: string): void;
};

export type ResourceType<S, R> = {
  /** Display name of the resource type. */
  name: string;
  list(system: S, context: ListContext): Listing<R>;
  /** One record, fresh; null when it is gone. Lets the runner push a single account after a task. */
  get?(system: S, id: string): Promise<R | null>;
  /** How many there will be, if that is cheap to know: progress bars get an end. */
  count?(system: S): Promise<number> | number;
};

/** The account that a task is about. Only `create` may find an `id` that is not yours. */
export type TaskAccount = {
  id: string;
  email?: string | null;
  username?: string | null;
  first_name?: string | null;
  last_name?: string | null;
};
export type Grants<K extends string> = { [P in K]?: Ref[] };
export type Changes<K extends string> = { [P in K]?: { added: Ref[]; removed: Ref[] } };

export type TaskContext = {
  /** Slug of the account type. */
  resourceType: string;
  signal: AbortSignal;
  log: Log;
};

/**
 * Contract 4.9. Each throws a `TaskError` when the external system refuses; leave out what the system cannot do.
 * A password that `create` or `resetPassword` returns goes to `deliver` and nowhere else.
 */
export type Tasks<S, K extends string> = {
  /**
   * The id of the account that a create task describes, or null. With it, a create that was cut off half way is
   * recognised and finished; without it, it fails with ACCOUNT_ALREADY_EXISTS.
   */
  find?(system: S, account: TaskAccount, context: TaskContext): Promise<string | null>;
  create?(
    system: S,
    task: { account: TaskAccount; memberships: Grants<K> },
    context: TaskContext,
  ): Promise<{ id: string; password?: string }>;
  /** Must bear repetition: a group that is already there, or already gone, is no error. */
  update?(
    system: S,
    task: { account: TaskAccount; changes: Changes<K> },
    context: TaskContext,
  ): Promise<void>;
  delete?(system: S, account: { id: string }, context: TaskContext): Promise<void>;
  suspend?(system: S, account: { id: string }, context: TaskContext): Promise<void>;
  unsuspend?(system: S, account: { id: string }, context: TaskContext): Promise<void>;
  resetPassword?(system: S, account: { id: string }, context: TaskContext): Promise<{ password?: string }>;
};

export type ConnectContext = { signal: AbortSignal; log: Log };

export type Definition<F extends Fields, S, A extends string, G extends string, L extends string> = {
  /** Lower case, digits and hyphens. Environment variables are named after it. */
  name: string;
  version: string;
  description?: string;
  config: F;
  connect(config: ConfigOf<F>, context: ConnectContext): S | Promise<S>;
  close?(system: NoInfer<S>): unknown;
  /** Throws when the credentials or the settings will not do. */
  check?(system: NoInfer<S>): unknown;
  /** By resource type slug. Pushed first. */
  groups?: Record<G, ResourceType<NoInfer<S>, GroupRecord>>;
  /** By resource type slug. Pushed second. */
  licenses?: Record<L, ResourceType<NoInfer<S>, LicenseRecord>>;
  /** By resource type slug. Pushed last, since accounts refer to the others. */
  accounts: Record<A, ResourceType<NoInfer<S>, AccountRecord<NoInfer<G>, NoInfer<L>>>>;
  tasks?: Tasks<NoInfer<S>, NoInfer<G> | NoInfer<L>>;
  /** Hands a generated password to the person: mail, vault, ticket. The only place that ever sees it. */
  deliver?(system: NoInfer<S>, message: { account: string; password: string }): Promise<void>;
  /** Turns an error of the external system's client into the task error that it means. */
  mapError?(error: unknown): TaskError | undefined;
};

/** A connector as the runner sees it: the types of its parts no longer matter. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where the inferred types are let go of
export type Connector = Omit<Definition<any, any, string, string, string>, 'config'> & { config: Fields };

/**
 * Checks a definition and gives it its types: `memberships` may only use the slugs of `groups`, `assignments` those
 * of `licenses` (contract 2.5, rule 1), and `connect` sees the settings with their types.
 */
export function defineConnector<
  const F extends Fields,
  S,
  A extends string,
  G extends string = never,
  L extends string = never,
>(definition: Definition<F, S, A, G, L>): Connector {
  if (!/^[a-z][a-z0-9-]{0,62}$/.test(definition.name)) {
    throw new TypeError(`connector name "${definition.name}" must be lower case letters, digits and hyphens`);
  }
  const slugs = [definition.groups, definition.licenses, definition.accounts].flatMap((types) =>
    Object.keys(types ?? {}),
  );
  for (const slug of slugs) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(slug))
      throw new TypeError(`resource type slug "${slug}" must be 1 to 64 of A-Z a-z 0-9 _ -`);
    if (slugs.indexOf(slug) !== slugs.lastIndexOf(slug))
      throw new TypeError(`resource type slug "${slug}" is used twice`);
  }
  if (Object.keys(definition.accounts).length === 0)
    throw new TypeError('a connector needs a type of account');
  return definition as unknown as Connector;
}

export type ResourceKind = 'group' | 'license' | 'account';
export type TypeEntry = {
  kind: ResourceKind;
  slug: string;
  // biome-ignore lint/suspicious/noExplicitAny: see Connector
  type: ResourceType<any, AccountRecord | GroupRecord | LicenseRecord>;
};

/** Every resource type of a connector, in the order of pushing that contract 4.5 recommends. */
export function typesOf(connector: Connector): TypeEntry[] {
  const entries = (kind: ResourceKind, types: Record<string, TypeEntry['type']> | undefined) =>
    Object.entries(types ?? {}).map(([slug, type]) => ({ kind, slug, type }));
  return [
    ...entries('group', connector.groups),
    ...entries('license', connector.licenses),
    ...entries('account', connector.accounts as Record<string, TypeEntry['type']>),
  ];
}
