import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyContextConfig } from 'fastify';
import { VERSION } from '../../../../protocol/src/version.ts';
import { nothingHere } from '../errors.ts';
import { mayBeMissing } from '../validation.ts';
import { ErrorResponse, withComponents } from './components.ts';
import { replyToError } from './errors.ts';
import type { Http } from './server.ts';

/** The name of each operation, by its method and its address below the organization, such as `GET /api/users/`. */
type OperationIds = Readonly<Record<string, string>>;

/** Serves the API reference (D42): `/openapi.json` for programs, `/docs` for people. Call it before adding routes. */
export async function publishReference(http: Http, ids: OperationIds) {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse',
        version: VERSION,
        description:
          'APIs for connector sync, provisioning tasks, events and governance. Every error is `{detail, code, values}`: `code` and `values` are what to translate `detail` by.',
      },
      servers: [{ url: '/', description: 'This server' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key with the scope `scim`.' },
          apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Api-Key <API_KEY>`' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'gatehouse.session_token',
            description:
              'The session of a signed-in person. Over TLS, the cookie name begins with `__Secure-`. A page names the person for whom it was drawn in the header `Gatehouse-Person: <external_uuid>`. If somebody else has signed in since, the response is 409 with the code `signed_in_as_another`.',
          },
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
    transform: ({ schema, url, route }) => ({
      url,
      schema: { ...schema, ...securityOf(route.config), ...accessOf(route.config) },
    }),
    transformObject: (made) => {
      if (!('openapiObject' in made)) return made.swaggerObject;
      completeOperations(made.openapiObject.paths ?? {}, ids);
      return withComponents(made.openapiObject);
    },
  });
  await http.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) =>
      replyToError(isNoFile(error) ? nothingHere() : error, request, reply),
    );
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      theme: { js: [{ filename: 'trusted-types.js', content: TRUSTED_TYPES }] },
    });
  });
  http.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () =>
    http.swagger(),
  );
}

/**
 * Swagger UI sets HTML as text, in which the content security policy of the page allows no script. It gets neither code nor
 * addresses of scripts from text.
 */
const TRUSTED_TYPES = "window.trustedTypes?.createPolicy('default', { createHTML: (html) => html });";

/** Whether an error means that an address below /docs/static cannot name a file: too long, or outside of the folder. */
function isNoFile(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'FST_STATIC_FORBIDDEN_PATH' || code === 'ENAMETOOLONG';
}

/** Returns the security requirement of a route that differs from the default. */
function securityOf({ access, takesBearer }: FastifyContextConfig = {}) {
  if (takesBearer) return { security: [{ bearer: [] }, { apiKey: [] }] };
  if (access === 'public') return { security: [] };
  return access?.scope === 'session' ? { security: [{ session: [] }] } : {};
}

/** Returns who may call a route, as an extension of OpenAPI. */
function accessOf({ access }: FastifyContextConfig = {}) {
  if (access === 'public' || access === undefined) return {};
  const { scope, roles = [], stepUp = false, apps } = access;
  return { 'x-access': { scope, roles, step_up: stepUp, listed_apps: apps === 'listed' } };
}

interface Operation {
  operationId?: string;
  parameters?: { name: string }[];
  requestBody?: {
    required?: boolean;
    content?: Record<string, { schema?: Parameters<typeof mayBeMissing>[0] }>;
  };
  responses?: object;
}

const ORG = {
  name: 'org',
  in: 'path',
  required: true,
  description: "The organization's slug.",
  schema: { type: 'string' },
};

/** Adds a name to each operation, and what all of them share: the organization in the address (D1) and the body of errors (D5). */
function completeOperations(paths: Record<string, object | undefined>, ids: OperationIds) {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations ?? {}) as [string, Operation][]) {
      operation.operationId = nameOf(`${method.toUpperCase()} ${path.replace('/org/{org}', '')}`, ids);
      const others = (operation.parameters ?? []).filter(({ name }) => name !== 'org');
      operation.parameters = path.includes('{org}') ? [ORG, ...others] : others;
      const { requestBody } = operation;
      const schemas = Object.values(requestBody?.content ?? {}).map(({ schema = {} }) => schema);
      if (requestBody !== undefined && schemas.every(mayBeMissing)) delete requestBody.required;
      operation.responses = { ...operation.responses, default: ErrorResponse };
    }
  }
}

function nameOf(operation: string, ids: OperationIds): string {
  const name = ids[operation];
  if (name === undefined) throw new Error(`Name the operation ${operation} in operation-ids.ts.`);
  return name;
}
