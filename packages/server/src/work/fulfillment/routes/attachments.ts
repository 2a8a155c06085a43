import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { type Http, type RouteTools, replyToError } from '#kit/http.ts';
import { Uuid } from '#kit/schemas.ts';
import { validatorCompiler } from '#kit/validation.ts';
import { addAttachment, attachmentOf, contentOf, LARGEST_FILE_BYTES } from '../attachments.ts';
import { fulfillmentRefusals } from '../sentences.ts';
import { tasks } from './resource.ts';
import { AttachmentItem, attachmentItem } from './schemas.ts';

const File = { content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } } };

const addAttachmentRoute = tasks.one.post(
  'attachments/',
  'Attach a file to a task',
  {
    description: "Only the task's assignee can, while it is open. 10 files of up to 10 MiB each.",
    query: { name: Type.String({ minLength: 1, maxLength: 200, description: 'The name of the file.' }) },
    body: Type.Unsafe<Buffer | null>(File),
    status: 201,
    reply: AttachmentItem,
    options: {
      bodyLimit: LARGEST_FILE_BYTES,
      errorHandler: (error, request, reply) => {
        const isOtherType = (error as { statusCode?: number }).statusCode === 415;
        return replyToError(
          isOtherType ? fulfillmentRefusals.attachment_not_octets() : error,
          request,
          reply,
        );
      },
      // The schema of the body is documentation only.
      validatorCompiler: (part) =>
        part.httpPart === 'body'
          ? () => true
          : validatorCompiler(part as Parameters<typeof validatorCompiler>[0]),
    },
  },
  async ({ call, found, query: { name }, body }) =>
    attachmentItem(await addAttachment(call, found.task_id, { name, bytes: body ?? Buffer.alloc(0) })),
);

const getAttachmentRoute = tasks.one.get(
  'attachments/:attachment_id/',
  'Download an attachment',
  {
    description: 'Always a download of the type application/octet-stream, whatever the file contains.',
    params: { attachment_id: Uuid },
    reply: Type.Unsafe<Readable>(File),
  },
  async ({ call, found, params, reply }) => {
    const file = await attachmentOf(call, found.task_id, params.attachment_id);
    // RFC 8187: the name can have any characters, and none of them ends the header.
    const name = encodeURIComponent(file.name.toWellFormed()).replace(
      /['()*]/g,
      (mark) => `%${mark.charCodeAt(0).toString(16)}`,
    );
    reply.headers({
      'content-disposition': `attachment; filename="attachment"; filename*=UTF-8''${name}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'content-length': file.size,
    });
    reply.type('application/octet-stream');
    return Readable.from(contentOf(call, file));
  },
);

export async function attachmentRoutes(http: Http, tools: RouteTools) {
  // Takes the bytes of any file, and no other media type.
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    addAttachmentRoute.add(scope as unknown as Http, tools);
  });
  getAttachmentRoute.add(http, tools);
}
