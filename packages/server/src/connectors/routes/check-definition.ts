import { Type } from 'typebox';
import type { Http } from '../../platform/http/server.ts';
import { checkDefinition } from '../connectors.ts';
import { Definition, DescribedView, managing, tags } from './schemas.ts';

/** Checks a definition before an app has a connector with it. */
export function checkDefinitionRoute(http: Http) {
  http.post(
    '/api/connectors/check/',
    {
      config: managing,
      schema: {
        tags,
        summary: 'Check definition of connector',
        description:
          'Returns the settings, resource types and actions of a definition. An invalid one gets 400 with the line and column of each mistake.',
        body: Type.Object({
          type: Type.String({ minLength: 1, maxLength: 100 }),
          definition: Definition,
        }),
        response: { 200: DescribedView },
      },
    },
    ({ principal, body }) => checkDefinition(principal, body.type, body.definition),
  );
}
