import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { type Call, callOf } from '../identity/call.ts';
import type { Principal } from '../identity/principal.ts';
import {
  envelope,
  listReply,
  longEnvelope,
  longPageQuery,
  type Page,
  pageOf,
  pageQuery,
  type Slice,
} from './lists.ts';
import { type Given, type Method, type NoProperties, type Route, route, type Shape } from './route.ts';
import { Uuid } from './schemas.ts';
import { type IfMatch, IfMatchHeader, withVersion } from './versions.ts';

/** What the operations at one address have in common. */
export interface Place {
  /** The address, with a slash at its end. */
  path: string;
  /** The name of the group of operations in the API reference. */
  tag: string;
  /** Who may read. */
  read: FastifyContextConfig;
  /** Who may change. */
  write: FastifyContextConfig;
  /** Throws 403 for callers who may use none of it. Runs before the body is read (D6). */
  allow?: (principal: Principal) => void;
}

/** A kind of thing that the API shows and changes. */
export interface ResourceOptions<Found, View extends TSchema> extends Place {
  /** The parameter with the id of one thing: `policy_id` of `/api/policies/:policy_id/`. */
  id: string;
  /**
   * Returns the thing with this id, or throws 404 or 403. For a write it runs before the body is read, so that both come before 400
   * (D6), and in the primary. Operations receive its result.
   */
  find: (call: Call, id: string) => Promise<Found>;
  schema: View;
  /** Returns what the API shows of one thing. */
  view: (found: Found) => Static<View>;
  /** The version of what people can change, for ETag and If-Match. */
  version?: (found: Found) => string;
}

/** How an operation differs from others at its address. */
type Details<Query, Body, Params, Reply> = Partial<
  Pick<
    Shape<Query, Body, Params, Reply>,
    'description' | 'config' | 'query' | 'body' | 'params' | 'reply' | 'status'
  >
>;

interface ListDetails<Item extends TSchema, Query extends TProperties> {
  description?: string;
  config?: FastifyContextConfig;
  query?: Query;
  item: Item;
  /** Whether the list may be too long to count for every request. */
  isLong?: boolean;
}

type GivenOf<Found, Query extends TProperties, Body extends TSchema, Params extends TProperties> = Given<
  Query,
  Body,
  Params
> & {
  /** The thing that the address names. */
  found: Found;
};

type Answer<Reply extends TSchema> = Promise<Static<Reply>> | Static<Reply>;

/**
 * Declares a resource. Its functions return routes. The order of 404, 403 and 400, addresses, versions, statuses and the form of list
 * pages are the same for all resources.
 */
export function resource<Found, View extends TSchema>(options: ResourceOptions<Found, View>) {
  const { path, tag, read, write, allow, id, find, schema, view, version } = options;
  const Id = { [id]: Uuid };
  const versioned = version === undefined ? schema : withVersion(schema);
  const ifMatch = version === undefined ? {} : { headers: IfMatchHeader };
  const known = new WeakMap<FastifyRequest, Found>();

  const configOf = (method: Method) => ({ tag, config: method === 'GET' ? read : write });
  /** Such an operation finds the thing where it reads, and not in the primary. */
  const readsReplica = (
    method: Method,
    { config = configOf(method).config }: { config?: FastifyContextConfig },
  ) => config.reads === 'replica';
  const idOf = (request: FastifyRequest) => String((request.params as Record<string, unknown>)[id]);
  const ofAll = { before: ({ principal }: FastifyRequest) => allow?.(principal) };
  const ofOne = {
    params: Id,
    before: async (request: FastifyRequest, { db }: { db: Parameters<typeof callOf>[0] }) =>
      known.set(request, await find(callOf(db, request), idOf(request))),
  };
  const foundBy = async ({ call, request }: { call: Call; request: FastifyRequest }): Promise<Found> =>
    known.get(request) ?? find(call, idOf(request));
  const show = (found: Found, reply: FastifyReply): Static<View> => {
    if (version !== undefined) reply.header('ETag', version(found));
    return view(found);
  };

  const onAll =
    (method: Method) =>
    <
      Query extends TProperties = NoProperties,
      Body extends TSchema = TSchema,
      Params extends TProperties = NoProperties,
      Reply extends TSchema = View,
    >(
      rest: string,
      summary: string,
      details: Details<Query, Body, Params, Reply>,
      handle: (given: Given<Query, Body, Params>) => Answer<Reply>,
    ): Route =>
      route(
        method,
        path + rest,
        { reply: schema as unknown as Reply, ...configOf(method), ...ofAll, summary, ...details },
        handle,
      );

  const onOne =
    (method: Method) =>
    <
      Query extends TProperties = NoProperties,
      Body extends TSchema = TSchema,
      Params extends TProperties = NoProperties,
      Reply extends TSchema = View,
    >(
      rest: string,
      summary: string,
      { params, ...details }: Details<Query, Body, Params, Reply>,
      handle: (given: GivenOf<Found, Query, Body, Params>) => Answer<Reply>,
    ): Route =>
      route(
        method,
        `${path}:${id}/${rest}`,
        {
          reply: schema as unknown as Reply,
          ...configOf(method),
          ...(readsReplica(method, details) ? {} : ofOne),
          params: { ...Id, ...params } as unknown as Params,
          summary,
          ...details,
        },
        async (given) => handle({ ...given, found: await foundBy(given) }),
      );

  return {
    /** Who may read, for an operation that changes nothing although it is no GET. */
    read,
    /** The list, in pages. The rule receives the parameters of `query` as filters. */
    list<Query extends TProperties = NoProperties>(
      summary: string,
      details: Details<Query, TSchema, NoProperties, never>,
      rule: (call: Call, filters: Static<TObject<Query>>, page: Page) => Promise<Slice<Found>>,
    ): Route {
      const query = { ...pageQuery, ...details.query };
      return onAll('GET')(
        '',
        summary,
        { ...details, query, reply: envelope(schema) as TSchema },
        async ({ call, query: { limit, offset, ...filters }, request, tools }) => {
          const page = pageOf({ ...(limit && { limit }), ...(offset && { offset }) });
          const { results, ...counts } = await rule(call, filters as never, page);
          return listReply(request, tools.origin(request), page, { ...counts, results: results.map(view) });
        },
      );
    },
    create<Body extends TSchema>(
      summary: string,
      details: Details<NoProperties, Body, NoProperties, never> & { body: Body },
      rule: (given: Given<NoProperties, Body, NoProperties>) => Promise<Found>,
    ): Route {
      return onAll('POST')('', summary, { ...details, status: 201, reply: schema }, async (given) =>
        view(await rule(given)),
      );
    },
    get(summary: string, details: Details<NoProperties, TSchema, NoProperties, never> = {}): Route {
      return onOne('GET')('', summary, { ...details, reply: versioned }, ({ found, reply }) =>
        show(found, reply),
      );
    },
    change<Body extends TSchema>(
      summary: string,
      details: Details<NoProperties, Body, NoProperties, never> & { body: Body },
      rule: (given: GivenOf<Found, NoProperties, Body, NoProperties>) => Promise<Found>,
    ): Route {
      return onOne('PATCH')('', summary, { ...details, ...ifMatch, reply: versioned }, async (given) =>
        show(await rule(given), given.reply),
      );
    },
    remove<Query extends TProperties = NoProperties>(
      summary: string,
      details: Details<Query, TSchema, NoProperties, never>,
      rule: (given: GivenOf<Found, Query, TSchema, NoProperties>) => Promise<void>,
    ): Route {
      return onOne('DELETE')('', summary, { ...details, status: 204, reply: Type.Null() }, async (given) => {
        await rule(given as never);
        return null;
      });
    },
    /** A list of other things below the address of one thing. */
    listOf<Item extends TSchema, Query extends TProperties = NoProperties>(
      rest: string,
      summary: string,
      { item, isLong = false, ...details }: ListDetails<Item, Query>,
      rule: (given: GivenOf<Found, Query, TSchema, NoProperties>, page: Page) => Promise<Slice<Static<Item>>>,
    ): Route {
      const query = { ...(isLong ? longPageQuery : pageQuery), ...details.query };
      const reply: TSchema = isLong ? longEnvelope(item) : envelope(item);
      return onOne('GET')(rest, summary, { ...details, query, reply }, async (given) => {
        const page = pageOf(given.query);
        const slice = await rule(given as never, page);
        return listReply(given.request, given.tools.origin(given.request), page, slice);
      });
    },
    /** Operations below the address of all things. Without a schema of the reply, they return one thing. */
    all: { get: onAll('GET'), post: onAll('POST'), put: onAll('PUT') },
    /** Operations below the address of one thing. */
    one: { get: onOne('GET'), post: onOne('POST'), put: onOne('PUT'), delete: onOne('DELETE') },
  };
}

/** Something of which there is one, such as settings, with a version. */
export interface SettingsOptions<View extends TSchema> extends Place {
  schema: View;
  load: (call: Call) => Promise<Static<View>>;
  version: (settings: Static<View>) => string;
}

/** Declares settings: one address with GET and PATCH. */
export function settings<View extends TSchema>({
  path,
  tag,
  read,
  write,
  allow,
  ...options
}: SettingsOptions<View>) {
  const { schema, load, version } = options;
  const shape = {
    tag,
    reply: withVersion(schema),
    before: ({ principal }: FastifyRequest) => allow?.(principal),
  };
  const show = (value: Static<View>, reply: FastifyReply): Static<View> => {
    reply.header('ETag', version(value));
    return value;
  };
  return {
    get: (summary: string): Route =>
      route('GET', path, { ...shape, config: read, summary }, async ({ call, reply }) =>
        show(await load(call), reply),
      ),
    change: <Body extends TSchema>(
      summary: string,
      body: Body,
      rule: (call: Call, body: Static<Body>, ifMatch: IfMatch) => Promise<void>,
    ): Route =>
      route(
        'PATCH',
        path,
        { ...shape, config: write, summary, headers: IfMatchHeader, body },
        async ({ call, body: given, ifMatch, reply }) => {
          await rule(call, given, ifMatch);
          return show(await load(call), reply);
        },
      ),
  };
}
