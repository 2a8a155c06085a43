import { Type } from 'typebox';
import { DomainError, invalid } from '../platform/errors.ts';
import { replyToError } from '../platform/http/errors.ts';
import type { Http } from '../platform/http/server.ts';
import { importPeople } from './import.ts';
import { callerOf, type PeopleTools } from './routes.ts';
import { ImportResult } from './schemas.ts';

/** 100,000 people with a dozen attributes each. */
const LARGEST_FILE_BYTES = 64 * 1024 * 1024;

/** `POST /api/users/import/`: the one address that takes CSV, and takes nothing else. */
export async function peopleImportRoutes(http: Http, { db, onPeople }: PeopleTools) {
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, done) => {
      try {
        done(null, new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer));
      } catch {
        done(invalid('The file is not UTF-8.'));
      }
    });
    (scope as unknown as Http).post(
      '/api/users/import/',
      {
        config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
        bodyLimit: LARGEST_FILE_BYTES,
        errorHandler: (error, request, reply) => {
          const isOtherType = (error as { statusCode?: number }).statusCode === 415;
          return replyToError(
            isOtherType ? new DomainError('unsupported_media_type', 'Send the file as text/csv.') : error,
            request,
            reply,
          );
        },
        schema: {
          tags: ['People'],
          summary: 'Import users from CSV',
          description:
            'The first line names the columns: fields of a user, manager_email, and any other name for an attribute. All rows are imported, or none.',
          querystring: Type.Object({
            dry_run: Type.Optional(
              Type.Boolean({ default: false, description: 'Show what would change and write nothing.' }),
            ),
          }),
          body: { content: { 'text/csv': { schema: Type.String() } } },
          response: { 200: ImportResult },
        },
      },
      async (request) =>
        importPeople(db, callerOf(request), onPeople, (request.body as string | null) ?? '', {
          dryRun: request.query.dry_run ?? false,
        }),
    );
  });
}
