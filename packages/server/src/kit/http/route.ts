import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteShorthandOptions,
} from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { type Call, callOf } from '../identity/call.ts';
import type { IfMatch } from '../versions.ts';
import type { Http, RouteTools } from './server.ts';
import { ifMatchOf } from './versions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An operation of the API as a value. `add` gives it to a server. */
export interface Route {
  method: Method;
  path: string;
  config: FastifyContextConfig;
  add(http: Http, tools: RouteTools): void;
}

export const addRoutes = (http: Http, tools: RouteTools, routes: readonly Route[]): void => {
  for (const route of routes) route.add(http, tools);
};

/** The parts of a request. A public route has no call, since nobody is known to make it. */
export interface Given<Query extends TProperties, Body extends TSchema, Params extends TProperties> {
  call: Call;
  query: Static<TObject<Query>>;
  body: Static<Body>;
  params: Static<TObject<Params>>;
  /** The versions that a change accepts. */
  ifMatch: IfMatch;
  request: FastifyRequest;
  reply: FastifyReply;
  tools: RouteTools;
}

/** How an operation looks from outside. */
export interface Shape<Query, Body, Params, Reply> {
  /** The name of the group of operations in the API reference. */
  tag: string;
  summary: string;
  description?: string;
  config: FastifyContextConfig;
  params?: Params;
  query?: Query;
  headers?: TSchema;
  body?: Body;
  /** Without it, the operation sends something else than JSON, such as a redirect. */
  reply?: Reply;
  /** 200 by default. */
  status?: 200 | 201 | 202 | 204;
  /** Replies with other statuses, for the API reference. */
  replies?: Record<number, TSchema>;
  /** For requests that are read, or errors that are shown, in a way of their own. */
  options?: Pick<
    RouteShorthandOptions,
    'attachValidation' | 'bodyLimit' | 'errorHandler' | 'validatorCompiler'
  >;
  /** Throws 404 or 403. Runs before the body is read, so that both come before 400 (D6). */
  before?: (request: FastifyRequest, tools: RouteTools) => unknown;
}

/** The reply of an operation that returns nothing. */
export const noContent = { status: 204, reply: Type.Unsafe<void>(Type.Null()) } as const;

export type NoProperties = Record<never, TSchema>;

/** The result of a handler. One that replies with another status, or with something else than JSON, returns the reply that it sent. */
export type Answer<Reply extends TSchema> = Promise<Static<Reply> | FastifyReply> | Static<Reply>;

/** Declares one operation. Its statements run in the primary, unless its config reads from a replica. */
export function route<
  Query extends TProperties = NoProperties,
  Body extends TSchema = TSchema,
  Params extends TProperties = NoProperties,
  Reply extends TSchema = TSchema,
>(
  method: Method,
  path: string,
  shape: Shape<Query, Body, Params, Reply>,
  handle: (given: Given<Query, Body, Params>) => Answer<Reply>,
): Route {
  const { tag, config, before, status = 200 } = shape;
  return {
    method,
    path,
    config,
    add(http, tools) {
      // The types of this function replace those that Fastify would infer.
      (http as unknown as FastifyInstance).route({
        ...shape.options,
        method,
        url: path,
        config,
        ...(before === undefined
          ? {}
          : { onRequest: async (request: FastifyRequest) => void (await before(request, tools)) }),
        schema: {
          tags: [tag],
          ...given('summary', shape.summary),
          ...given('description', shape.description),
          ...given('params', objectOf(shape.params)),
          ...given('querystring', objectOf(shape.query)),
          ...given('headers', shape.headers),
          ...given('body', shape.body),
          ...given('response', responsesOf({ ...shape, status })),
        } as FastifySchema,
        handler: async (request, reply) => {
          const db = config.reads === 'replica' ? request.reads.db : tools.db;
          if (status !== 200) reply.code(status);
          const result = await handle({
            get call() {
              return callOf(db, request);
            },
            query: request.query as never,
            body: request.body as never,
            params: request.params as never,
            ifMatch: ifMatchOf(request),
            request,
            reply,
            tools,
          });
          return status === 204 && result !== reply ? null : result;
        },
      });
    },
  };
}

/** Nothing for an operation that sends something else than JSON. */
const responsesOf = ({
  reply,
  status,
  replies,
}: {
  reply?: TSchema;
  status: number;
  replies?: Record<number, TSchema>;
}) =>
  reply === undefined && replies === undefined
    ? undefined
    : { ...(reply === undefined ? {} : { [status]: reply }), ...replies };

const given = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value });
const objectOf = (properties: TProperties | undefined) =>
  properties === undefined || Object.keys(properties).length === 0 ? undefined : Type.Object(properties);
