import type { Http } from '../../platform/http/server.ts';
import { serviceProviderConfig } from '../discovery.ts';
import { baseOf, config, describe, type ScimTools, send } from './tools.ts';

export function getServiceProviderConfigRoute(http: Http, tools: ScimTools) {
  http.get(
    '/scim/v2/ServiceProviderConfig',
    {
      config,
      schema: describe('Get the configuration of the service provider', { status: 200, hasId: false }),
    },
    async (request, reply) => {
      return send(reply, serviceProviderConfig(baseOf(tools, request)));
    },
  );
}
