import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { ErrorBody } from './schemas.ts';
import type { Access, Http } from './server.ts';

/** `GET /openapi.json`, made from the routes, and `GET /docs`, for people (D42). Called before routes are added. */
export async function publishReference(http: Http) {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse',
        version: '0.1.0',
        description:
          'Connector sync, provisioning tasks, events, governance and read APIs. Errors are `{detail}`.',
      },
      servers: [{ url: '/', description: 'This server' }],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Api-Key <API_KEY>`' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'gatehouse.session_token',
            description: 'Somebody who is signed in. Behind TLS the name begins with `__Secure-`.',
          },
        },
        schemas: { Error: ErrorBody as object },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
    transform: ({ schema, url, route }) => ({
      url,
      schema: { ...schema, ...securityOf(route.config?.access) },
    }),
    transformObject: (made) => {
      if (!('openapiObject' in made)) return made.swaggerObject;
      completeOperations(made.openapiObject.paths ?? {});
      return made.openapiObject;
    },
  });
  await http.register(swaggerUi, { routePrefix: '/docs' });
  http.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () =>
    http.swagger(),
  );
}

/** Where a route asks for something else than the others. */
function securityOf(access: Access | undefined) {
  if (access === 'public') return { security: [] };
  return access?.scope === 'session' ? { security: [{ session: [] }] } : {};
}

interface Operation {
  parameters?: { name: string }[];
  responses?: object;
}

const ORG = {
  name: 'org',
  in: 'path',
  required: true,
  description: "The organization's slug.",
  schema: { type: 'string' },
};
const REFUSED = {
  description: 'Refused',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** What no route says for itself: base_url names an organization (D1), and every refusal has one body (D5). */
function completeOperations(paths: Record<string, object | undefined>) {
  for (const [path, operations] of Object.entries(paths)) {
    for (const operation of Object.values(operations ?? {}) as Operation[]) {
      const others = (operation.parameters ?? []).filter(({ name }) => name !== 'org');
      operation.parameters = path.includes('{org}') ? [ORG, ...others] : others;
      operation.responses = { ...operation.responses, default: REFUSED };
    }
  }
}
