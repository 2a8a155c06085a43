import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { ErrorBody } from './schemas.ts';
import type { Http } from './server.ts';

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
        },
        schemas: { Error: ErrorBody as object },
      },
      security: [{ apiKey: [] }],
    },
    transform: ({ schema, url, route }) => ({
      url,
      schema: { ...schema, ...(route.config?.access === 'public' ? { security: [] } : {}) },
    }),
  });
  await http.register(swaggerUi, { routePrefix: '/docs' });
  // Until there is a console, people who open the address find the reference.
  http.get('/', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.redirect('/docs'),
  );
  http.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () =>
    http.swagger(),
  );
}
