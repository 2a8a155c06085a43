import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { route } from '#kit/http.ts';
import { validatorCompiler } from '#kit/validation.ts';
import { uploadView } from '../find.ts';
import { receiveUpload } from '../receive.ts';
import { uploadRefusals } from '../sentences.ts';
import type { Place } from './places.ts';
import { UploadView } from './schemas.ts';

/** The bytes of the file are stored while they arrive. */
export const createUploadRoute = ({ path, tag, of, config, params, before, targetOf }: Place) =>
  route(
    'POST',
    path,
    {
      tag,
      config: { ...config, streams: true },
      summary: `Upload a spreadsheet ${of}`,
      description:
        'The body is a CSV file or an XLSX workbook of at most 64 MB. The response shows its columns and a mapping that may fit. Check the rows next.',
      before,
      params,
      query: { file_name: Type.String({ minLength: 1, maxLength: 255 }) },
      body: { content: { 'application/octet-stream': { schema: Type.Any() } } },
      reply: UploadView,
      status: 201,
      options: {
        // The schema of the body is documentation only.
        validatorCompiler: (part) =>
          part.httpPart === 'body'
            ? () => true
            : validatorCompiler(part as Parameters<typeof validatorCompiler>[0]),
      },
    },
    async ({ call, query, request }) => {
      const body = request.body instanceof Readable ? request.body : Readable.from([]);
      const upload = await receiveUpload(call, targetOf(request), query.file_name, piecesOf(body));
      return uploadView(call, upload);
    },
  );

/** Reads the body. An error leaves the connection open, so that the client gets the response. */
async function* piecesOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ECONNRESET' ? uploadRefusals.upload_incomplete() : error;
  } finally {
    body.resume();
  }
}
