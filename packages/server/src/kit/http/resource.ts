import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { type Call, callOf } from '../identity/call.ts';
import type { Page, Slice } from '../pages.ts';
import { Uuid } from '../schemas.ts';
import type { IfMatch } from '../versions.ts';
import { envelope, listReply, longEnvelope, longPageQuery, pageOf, pageQuery } from './lists.ts';
import {
  type Answer,
  type Given,
  type Method,
  type NoProperties,
  type Route,
  route,
  type Shape,
} from './route.ts';
import type { RouteTools } from './server.ts';
import { IfMatchHeader, withVersion } from './versions.ts';

/** The common part of the operations at one address. */
export interface Place {
  /** The address, with a slash at its end. */
  path: string;
  /** The name of the group of operations in the API reference. */
  tag: string;
  /** The access of reads. */
  reading: FastifyContextConfig;
  /** The access of changes. */
  managing: FastifyContextConfig;
  /** Throws 403 or 404 for callers who may use none of it. Runs before the body is read, so that both come before 400 (D6). */
  allow?: (request: FastifyRequest, tools: RouteTools) => unknown;
}

/** A kind of thing that the API shows and changes. */
export interface ResourceOptions<Found, Shown, View extends TSchema> extends Place {
  /** The parameters in `path`. */
  params?: TProperties;
  /** The parameter with the id of one thing: `policy_id` of `/api/policies/:policy_id/`. */
  id: string;
  /** A UUID by default. */
  idSchema?: TSchema;
  /**
   * Returns the thing with this id, or throws 404 or 403. Runs before the body is read, too, and always in the primary, because it
   * authorizes the caller. Operations receive its result. `within` has
   * the other parameters of the address.
   */
  find: (call: Call, id: string, within: Record<string, string>) => Promise<Found>;
  /** Reads what is shown of a thing. By default, that is what `find` returns. */
  load?: (call: Call, found: Found) => Promise<Shown>;
  schema: View;
  view: (shown: Shown, call: Call, request: FastifyRequest) => Static<View>;
  /** The version of what people can change, for ETag and If-Match. */
  version?: (shown: Shown) => string;
}

/** How an operation differs from others at its address. */
type Details<Query, Body, Params, Reply> = Partial<
  Pick<
    Shape<Query, Body, Params, Reply>,
    | 'description'
    | 'config'
    | 'query'
    | 'headers'
    | 'body'
    | 'params'
    | 'reply'
    | 'status'
    | 'replies'
    | 'options'
  >
>;

/** How a list differs from others. */
interface ListDetails<
  Query extends TProperties,
  Beside extends TProperties = NoProperties,
  Params extends TProperties = NoProperties,
> {
  description?: string;
  config?: FastifyContextConfig;
  params?: Params;
  /** The filters. */
  query?: Query;
  /** Whether the list may be too long to count for every request. */
  isLong?: boolean;
  /** Further fields of the reply. The page has the name of this component. */
  beside?: TObject<Beside> & { title?: string };
}

/** A part of a list, with the fields beside it. */
type Part<Item, Beside extends TProperties> = Promise<Slice<Item> & Static<TObject<Beside>>>;

/** A request about a thing that its address names. */
export type GivenOf<
  Found,
  Query extends TProperties,
  Body extends TSchema,
  Params extends TProperties,
> = Given<Query, Body, Params> & { found: Found };

/**
 * Declares a resource. Its functions return routes. The order of 404, 403 and 400, addresses, versions, statuses and the form of list
 * pages are the same for all resources.
 */
export function resource<Found, View extends TSchema, Shown = Found>(
  options: ResourceOptions<Found, Shown, View>,
) {
  const { path, reading, allow, id, idSchema = Uuid, find, load, schema, view, version } = options;
  const versioned = version === undefined ? schema : withVersion(schema);
  const ifMatch = version === undefined ? {} : { headers: IfMatchHeader };
  const known = new WeakMap<FastifyRequest, Found>();

  type Asked = { call: Call; request: FastifyRequest };
  const viewOf = (shown: Shown, { call, request }: Asked) => view(shown, call, request);
  const show = async (shown: Shown, asked: Asked & { reply: FastifyReply }) => {
    if (version !== undefined) asked.reply.header('ETag', version(shown));
    return viewOf(shown, asked);
  };
  const before = async (request: FastifyRequest, tools: RouteTools) => {
    await allow?.(request, tools);
    const named = request.params as Record<string, string>;
    known.set(request, await find(callOf(tools.db, request), String(named[id]), named));
  };
  const all = operations({ ...options, reply: schema });
  const one = operations(
    {
      ...options,
      path: `${path}:${id}/`,
      params: { ...options.params, [id]: idSchema },
      allow: before,
      reply: schema,
    },
    ({ request }) => ({ found: known.get(request) as Found }),
  );

  return {
    reading,
    /** The list, in pages. The rule receives the parameters of `query`. */
    list<Query extends TProperties = NoProperties>(
      summary: string,
      details: ListDetails<Query>,
      rule: (call: Call, filters: Static<TObject<Query>>, page: Page) => Promise<Slice<Shown>>,
    ): Route {
      return all.get('', summary, pages(schema, details), (given) =>
        pageFor(given, async ({ call, query, request }, page) => {
          const { results, ...rest } = await rule(call, query as never, page);
          return { ...rest, results: results.map((shown) => view(shown, call, request)) };
        }),
      );
    },
    create<Body extends TSchema>(
      summary: string,
      details: Details<NoProperties, Body, NoProperties, never> & { body: Body },
      rule: (given: Given<NoProperties, Body, NoProperties>) => Promise<Shown>,
    ): Route {
      return all.post('', summary, { ...details, status: 201, reply: schema }, async (given) =>
        viewOf(await rule(given), given),
      );
    },
    get(summary: string, details: Details<NoProperties, TSchema, NoProperties, never> = {}): Route {
      return one.get('', summary, { ...details, reply: versioned }, async (given) => {
        const { call, found } = given;
        return show(load === undefined ? (found as unknown as Shown) : await load(call, found), given);
      });
    },
    change<Body extends TSchema>(
      summary: string,
      details: Details<NoProperties, Body, NoProperties, never> & { body: Body },
      rule: (given: GivenOf<Found, NoProperties, Body, NoProperties>) => Promise<Shown>,
    ): Route {
      return one.patch('', summary, { ...details, ...ifMatch, reply: versioned }, async (given) =>
        show(await rule(given), given),
      );
    },
    remove<Query extends TProperties = NoProperties>(
      summary: string,
      details: Details<Query, TSchema, NoProperties, never>,
      rule: (given: GivenOf<Found, Query, TSchema, NoProperties>) => Promise<void>,
    ): Route {
      return one.delete('', summary, { ...details, status: 204, reply: Type.Null() }, async (given) => {
        await rule(given as never);
        return null;
      });
    },
    /** An operation on one thing that returns it. */
    act<Body extends TSchema = TSchema>(
      rest: string,
      summary: string,
      details: Details<NoProperties, Body, NoProperties, never>,
      rule: (given: GivenOf<Found, NoProperties, Body, NoProperties>) => Promise<Shown>,
    ): Route {
      return one.post(rest, summary, { ...details, reply: schema }, async (given) =>
        viewOf(await rule(given), given),
      );
    },
    /** A list of other things that belong to one thing. */
    listOf: one.list,
    /** Operations below the address of all things. Without a schema of the reply, they return one thing. */
    all,
    /** Operations below the address of one thing. */
    one,
  };
}

/**
 * Declares operations below an address. Handlers also receive what `more` returns. Without a schema of the reply, operations reply as `reply`
 * says.
 */
export function operations<View extends TSchema = TSchema, More = unknown>(
  place: Place & { params?: TProperties; reply?: View },
  more?: (given: { request: FastifyRequest }) => More,
) {
  const { tag, reading, managing, allow } = place;
  const on =
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
      handle: (given: Given<Query, Body, Params> & More) => Answer<Reply>,
    ): Route => {
      const usual = {
        tag,
        config: method === 'GET' ? reading : managing,
        params: { ...place.params, ...params } as unknown as Params,
        ...(place.reply === undefined ? {} : { reply: place.reply as TSchema }),
        ...(allow === undefined ? {} : { before: allow }),
      };
      return route(
        method,
        place.path + rest,
        { ...usual, summary, ...details },
        more === undefined
          ? (handle as (given: Given<Query, Body, Params>) => Answer<Reply>)
          : (given) => handle({ ...given, ...more(given) }),
      );
    };
  const get = on('GET');
  const list = <
    Item extends TSchema,
    Query extends TProperties = NoProperties,
    Beside extends TProperties = NoProperties,
    Params extends TProperties = NoProperties,
  >(
    rest: string,
    summary: string,
    { item, ...details }: ListDetails<Query, Beside, Params> & { item: Item },
    rule: (given: Given<Query, TSchema, Params> & More, page: Page) => Part<Static<Item>, Beside>,
  ): Route => get(rest, summary, pages(item, details), (given) => pageFor(given as never, rule as never));
  return { list, get, post: on('POST'), put: on('PUT'), patch: on('PATCH'), delete: on('DELETE') };
}

/** Replies to a request for a page of a list. The rule receives the filters without the parameters of the page. */
async function pageFor<G extends { query: object; request: FastifyRequest; tools: RouteTools }, T>(
  given: G,
  rule: (given: G, page: Page) => Promise<Slice<T>>,
) {
  const page = pageOf(given.query);
  const { limit: _, offset: __, count_to: ___, ...query } = given.query as Record<string, unknown>;
  const { count, more, results, ...beside } = await rule({ ...given, query }, page);
  const slice = more === undefined ? { count, results } : { count, more, results };
  return { ...listReply(given.request, given.tools.origin(given.request), page, slice), ...beside } as never;
}

/** The form of a list of any things. */
function pages<
  Item extends TSchema,
  Query extends TProperties,
  Beside extends TProperties,
  Params extends TProperties,
>(item: Item, { isLong = false, beside, ...details }: ListDetails<Query, Beside, Params>) {
  const page: TObject = isLong ? longEnvelope(item) : envelope(item);
  const reply =
    beside === undefined ? page : { ...beside, ...Type.Object({ ...page.properties, ...beside.properties }) };
  return {
    ...details,
    query: { ...(isLong ? longPageQuery : pageQuery), ...details.query },
    reply: reply as TSchema,
  };
}

/** Declares a list that belongs to no resource. */
export function list<
  Item extends TSchema,
  Query extends TProperties = NoProperties,
  Beside extends TProperties = NoProperties,
>(
  path: string,
  {
    item,
    tag,
    config,
    summary,
    ...details
  }: ListDetails<Query, Beside> & { item: Item; tag: string; config: FastifyContextConfig; summary: string },
  rule: (given: Given<Query, TSchema, NoProperties>, page: Page) => Part<Static<Item>, Beside>,
): Route {
  return route('GET', path, { tag, config, summary, ...pages(item, details) }, (given) =>
    pageFor(given as never, rule as never),
  );
}

/** Something of which there is one, such as settings, with a version. */
export interface SettingsOptions<View extends TSchema> extends Place {
  schema: View;
  load: (call: Call) => Promise<Static<View>>;
  version: (settings: Static<View>) => string;
}

/** Declares settings: one address with GET and PATCH. */
export function settings<View extends TSchema>(options: SettingsOptions<View>) {
  const { path, tag, reading, managing, allow, schema, load, version } = options;
  const shape = { tag, reply: withVersion(schema), ...(allow === undefined ? {} : { before: allow }) };
  const show = async (call: Call, reply: FastifyReply): Promise<Static<View>> => {
    const loaded = await load(call);
    reply.header('ETag', version(loaded));
    return loaded;
  };
  return {
    get: (summary: string): Route =>
      route('GET', path, { ...shape, config: reading, summary }, ({ call, reply }) => show(call, reply)),
    change: <Body extends TSchema>(
      summary: string,
      details: { description?: string; body: Body },
      rule: (call: Call, body: Static<Body>, ifMatch: IfMatch) => Promise<void>,
    ): Route =>
      route(
        'PATCH',
        path,
        { ...shape, ...details, config: managing, summary, headers: IfMatchHeader },
        async ({ call, body, ifMatch, reply }) => {
          await rule(call, body, ifMatch);
          return show(call, reply);
        },
      ),
  };
}
