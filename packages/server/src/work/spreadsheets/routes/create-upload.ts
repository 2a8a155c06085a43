import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { invalid } from '../../../kit/errors.ts';
import type { Http } from '../../../kit/http/server.ts';
import { validatorCompiler } from '../../../kit/http/validation.ts';
import { causeOf } from '../../../kit/identity/cause.ts';
import { uploadView } from '../find.ts';
import { receiveUpload } from '../receive.ts';
import { atBoth } from './places.ts';
import { UploadView } from './schemas.ts';

/** Takes a file as it is, whatever its content type. Its bytes are stored while they arrive. */
export const createUploadRoute = atBoth(async (http, { db }, place) => {
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    (scope as unknown as Http).post(
      place.path,
      {
        config: { ...place.config, streams: true },
        onRequest: place.onPlace(db),
        schema: {
          tags: [place.tag],
          summary: `Upload a spreadsheet ${place.of}`,
          description:
            'The body is a CSV file or an XLSX workbook of at most 64 MB. The response shows its columns and a mapping that may fit. Check the rows next.',
          params: place.params,
          querystring: Type.Object({ file_name: Type.String({ minLength: 1, maxLength: 255 }) }),
          body: { content: { 'application/octet-stream': { schema: Type.Any() } } },
          response: { 201: UploadView },
        },
        // The schema of the body is documentation only.
        validatorCompiler: (part) =>
          part.httpPart === 'body'
            ? () => true
            : validatorCompiler(part as Parameters<typeof validatorCompiler>[0]),
      },
      async (request, reply) => {
        const { orgId } = request.principal;
        const { file_name } = request.query as { file_name: string };
        const body = request.body instanceof Readable ? request.body : Readable.from([]);
        const upload = await receiveUpload(
          within(db, orgId),
          place.targetOf(request),
          causeOf(request),
          file_name,
          piecesOf(body),
        );
        reply.code(201);
        return uploadView(within(db, orgId), upload);
      },
    );
  });
});

/** Reads the body. An error leaves the connection open, so that the client gets the response. */
async function* piecesOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ECONNRESET' ? invalid('The body is incomplete.') : error;
  } finally {
    body.resume();
  }
}
