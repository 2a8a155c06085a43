import type { Http } from './server.ts';

const BRIDGE = '/api/v1/bridge/';

/**
 * Makes the routes below `/api/` that are added from here on refuse unknown query parameters with 400, except those of the
 * protocol (D5). A misspelled filter would otherwise list everything, and a misspelled `dry_run` would change something.
 */
export function refuseUnknownQueries(http: Http): void {
  http.addHook('onRoute', (route) => {
    const { url, prefix, config, schema = {} } = route;
    const path = url.slice(prefix.length);
    if (!path.startsWith('/api/') || path.startsWith(BRIDGE)) return;
    if (config?.ignoresUnknownQuery || schema.hide) return;
    const querystring = (schema.querystring ?? { type: 'object', properties: {} }) as object;
    route.schema = { ...schema, querystring: { ...querystring, additionalProperties: false } };
  });
}
