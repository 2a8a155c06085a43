import { Type } from 'typebox';
import { Blocks, receiveBlocks } from '#kit/http/blocks.ts';
import { addRoutes, type Http, type RouteTools, replyToError, route } from '#kit/http.ts';
import { nfc } from '#kit/nfc.ts';
import { validatorCompiler } from '#kit/validation.ts';
import { importPeople } from '../import.ts';
import { ImportResult, managing, tag } from '../schemas.ts';
import { personRefusals } from '../sentences.ts';

/** Enough for 100,000 people with a dozen attributes each. */
const LARGEST_FILE_BYTES = 64 * 1024 * 1024;

const importRoute = route(
  'POST',
  '/api/users/import/',
  {
    tag,
    config: managing,
    summary: 'Import users from CSV',
    description:
      'The first line names the columns: fields of a user, manager_email, and any other name for an attribute. All rows are imported, or none.',
    query: {
      dry_run: Type.Optional(
        Type.Boolean({ default: false, description: 'Show the changes without writing anything.' }),
      ),
      match: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          default: 'email',
          description:
            'By what people are found: email, or the column of an attribute that says who somebody is, such as employee_number.',
        }),
      ),
    },
    body: Type.Unsafe<unknown>({ content: { 'text/csv': { schema: Type.String() } } }),
    reply: ImportResult,
    options: {
      bodyLimit: LARGEST_FILE_BYTES,
      errorHandler: (error, request, reply) => {
        const isOtherType = (error as { statusCode?: number }).statusCode === 415;
        return replyToError(isOtherType ? personRefusals.people_file_not_text_csv() : error, request, reply);
      },
      // The schema of the body is documentation only: the rows are validated one by one.
      validatorCompiler: (part) =>
        part.httpPart === 'body'
          ? () => true
          : validatorCompiler(part as Parameters<typeof validatorCompiler>[0]),
    },
  },
  async ({ call, body, query: { dry_run: dryRun = false, match = 'email' } }) => {
    const file = body instanceof Blocks ? await body.joined() : Buffer.alloc(0);
    return importPeople(call, file, { dryRun, match: nfc(match) });
  },
);

/** The only route that takes CSV. It takes nothing else. */
export async function addImport(http: Http, tools: RouteTools) {
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('text/csv', (request, payload, done) => receiveBlocks(request, payload, done));
    addRoutes(scope as unknown as Http, tools, [importRoute]);
  });
}
