import type { ACCOUNT_FIELDS, GROUP_FIELDS, LICENSE_FIELDS, RecordOf } from '../../protocol/src/records.ts';
import type { ConfigOf, Fields } from './config.ts';
import type { TaskError } from './errors.ts';
import { itemsUnlessAborted } from './interrupt.ts';
import type { Log } from './progress.ts';
import type { Unseen } from './unseen.ts';

/** A reference from an account to a group or a license. Include the name if the group or license may not be listed. */
export type Ref = {
  id: string;
  name?: string | null | undefined;
  /** The group or license that gives this one, such as a group that holds the license (D68). Absent if it was given directly. */
  via?: { slug: string; id: string } | null | undefined;
};

/**
 * All values of fields that the system keeps without an order, such as the `mail` of a directory. The runner keeps the value that
 * it pushed last while it is among them, and otherwise takes the first in sorted order.
 */
export type Candidates = Readonly<Record<string, string[]>>;

/**
 * An account record (protocol 2.5). `email` or `username` is required. packages/protocol describes the fields; null and "" count as absent.
 */
export type AccountRecord<G extends string = string, L extends string = string> = RecordOf<
  typeof ACCOUNT_FIELDS
> & {
  candidates?: Candidates | undefined;
  memberships?: { [K in G]?: Ref[] | undefined } | undefined;
  assignments?: { [K in L]?: Ref[] | undefined } | undefined;
};

/** A group record (protocol 2.5). */
export type GroupRecord = RecordOf<typeof GROUP_FIELDS> & { candidates?: Candidates | undefined };

/** A license record (protocol 2.5). */
export type LicenseRecord = RecordOf<typeof LICENSE_FIELDS> & { candidates?: Candidates | undefined };

/** A page of records. A later run that resumes after it receives `next` as `from`. */
export type Page<R> = { records: R[]; next?: string | null | undefined };

/** Yields records or pages of records. If it throws, the sync ends without removing anything. */
export type Listing<R> = AsyncIterable<R | Page<R>> | Iterable<R | Page<R>>;

export type ListContext = {
  /** The token to resume after. Set only if the listing yielded pages with `next` before. */
  from: string | undefined;
  signal: AbortSignal;
  log: Log;
  /** Reports a record that exists but cannot be read. The sync is then abandoned and removes nothing. */
  skip(id: string, why: string): void;
  /** Reports what the listing leaves out or cannot read (D81). The last count of a slug, id and rule holds. */
  unseen(what: Unseen): void;
  /**
   * Reports that records may move between the pages of this list while it is read, as they do with page numbers, offsets and links. The
   * runner then confirms each removal.
   */
  mayShift(): void;
};

/** A context as a command makes it, which may ignore what the listing reports. */
type GivenContext = Omit<ListContext, 'unseen' | 'mayShift'> & Partial<ListContext>;
/** For a caller to whom it does not matter what a listing reports. */
export const unreported: Pick<ListContext, 'unseen' | 'mayShift'> = { unseen() {}, mayShift() {} };

/** The groups and licenses that are needed of an account. `get` may leave all others out of the record. */
export type Wanted = {
  entitlements: readonly { slug: string; id: string; name?: string | null | undefined }[];
};

export type ResourceType<S, R> = {
  /** Display name of the resource type. */
  name: string;
  list(system: S, context: ListContext): Listing<R>;
  /**
   * Reads one record; null if the system says that it does not exist. Throw if it does not say that, as with a page of HTML. The
   * runner reads each account after a task, to confirm the result (D80).
   */
  get?(system: S, id: string, wanted?: Wanted): Promise<R | null>;
  /** The expected number of records, if it is cheap to find out. Progress bars use it. */
  count?(system: S): Promise<number> | number;
};

/** The account of a task. Only for `create`, `id` is not an id of the external system. */
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
  /** True if the last completed sync listed an account with this id. A creation must not undo such an account. */
  isKnown?(id: string): boolean;
};

/**
 * The provisioning actions (protocol 4.9). Throw a `TaskError` if the external system refuses. Leave out unsupported actions.
 * A password that `create` or `resetPassword` returns goes only to `deliver`.
 */
export type Tasks<S, K extends string> = {
  /**
   * Returns the id of the account that a create task describes, or null. Compare each hit with the username or email of the
   * task, because a server may ignore a filter, and throw if several fit. With `find`, the runner recognizes and finishes an
   * interrupted creation. Without it, the retry fails with ACCOUNT_ALREADY_EXISTS.
   */
  find?(system: S, account: TaskAccount, context: TaskContext): Promise<string | null>;
  create?(
    system: S,
    task: { account: TaskAccount; memberships: Grants<K> },
    context: TaskContext,
  ): Promise<{ id: string; password?: string }>;
  /** Must be idempotent: adding an existing membership or removing a missing one is not an error. */
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

/** The systems whose rules for user names the server knows (D82). */
export type UserNames = 'active_directory' | 'linux' | 'postgresql' | 'mariadb';

export type ConnectContext = { signal: AbortSignal; log: Log };

export type Definition<F extends Fields, S, A extends string, G extends string, L extends string> = {
  /** Lowercase letters, digits and hyphens. Environment variables are named after it. */
  name: string;
  version: string;
  description?: string;
  config: F;
  connect(config: ConfigOf<F>, context: ConnectContext): S | Promise<S>;
  close?(system: NoInfer<S>): unknown;
  /** Throws if the credentials or the settings do not work. */
  check?(system: NoInfer<S>): unknown;
  /** By resource type slug. Pushed first. */
  groups?: Record<G, ResourceType<NoInfer<S>, GroupRecord>>;
  /** By resource type slug. Pushed second. */
  licenses?: Record<L, ResourceType<NoInfer<S>, LicenseRecord>>;
  /** By resource type slug. Pushed last, because accounts refer to groups and licenses. */
  accounts: Record<A, ResourceType<NoInfer<S>, AccountRecord<NoInfer<G>, NoInfer<L>>>>;
  tasks?: Tasks<NoInfer<S>, NoInfer<G> | NoInfer<L>>;
  /**
   * The system whose user names `create` gives to accounts, or a function that returns it. The server then chooses names that the system
   * accepts and that are free. Leave it out if accounts are named by anything, such as an email.
   */
  userNames?: UserNames | ((system: NoInfer<S>) => UserNames | undefined);
  /** Delivers a generated password to the person, for example by mail or vault. No other function receives it. */
  deliver?(system: NoInfer<S>, message: { account: string; password: string }): Promise<void>;
  /** Maps an error of the external system's client to a task error. */
  mapError?(error: unknown): TaskError | undefined;
  /** Doubts about the definition file of the connector, such as an id that looks like a name. */
  warnings?: readonly string[];
  /** Errors about secrets in the definition file of the connector. */
  literalSecrets?: readonly string[];
};

/** A connector as the runner uses it, without the types of its definition. */
// biome-ignore lint/suspicious/noExplicitAny: the runner does not need the inferred types
export type Connector = Omit<Definition<any, any, string, string, string>, 'config'> & { config: Fields };

/**
 * Checks and types a definition: `memberships` may only use the slugs of `groups` and `assignments` those of `licenses`
 * (protocol 2.5), and `connect` receives the settings with their types.
 */
export function defineConnector<
  const F extends Fields,
  S,
  A extends string,
  G extends string = never,
  L extends string = never,
>(definition: Definition<F, S, A, G, L>): Connector {
  if (!/^[a-z][a-z0-9-]{0,62}$/.test(definition.name)) {
    throw new TypeError(
      `connector name "${definition.name}" must consist of lowercase letters, digits and hyphens`,
    );
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
    throw new TypeError('a connector needs at least one account type');
  return definition as unknown as Connector;
}

/** Returns the system whose user names a connector creates, or null. */
export const userNamesOf = ({ userNames }: Connector, system: unknown): UserNames | null =>
  (typeof userNames === 'function' ? userNames(system) : userNames) ?? null;

export type ResourceKind = 'group' | 'license' | 'account';
export type TypeEntry = {
  kind: ResourceKind;
  slug: string;
  // biome-ignore lint/suspicious/noExplicitAny: see Connector
  type: ResourceType<any, AccountRecord | GroupRecord | LicenseRecord>;
};

/** Lists a resource type. Ends with the reason of the signal, even while the system replies nothing. */
export const itemsOf = (type: TypeEntry['type'], system: unknown, context: GivenContext) =>
  itemsUnlessAborted(type.list(system, { ...unreported, ...context }), context.signal);

/** Returns every resource type of a connector in the recommended order of pushing (protocol 4.5). */
export function typesOf(connector: Connector): TypeEntry[] {
  const entries = (kind: ResourceKind, types: Record<string, TypeEntry['type']> | undefined) =>
    Object.entries(types ?? {}).map(([slug, type]) => ({ kind, slug, type }));
  return [
    ...entries('group', connector.groups),
    ...entries('license', connector.licenses),
    ...entries('account', connector.accounts as Record<string, TypeEntry['type']>),
  ];
}
