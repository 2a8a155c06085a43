import { Type } from 'typebox';
import { DomainError } from '../../../kit/errors.ts';
import { replyToError } from '../../../kit/http/errors.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { validatorCompiler } from '../../../kit/http/validation.ts';
import { addAttachment, LARGEST_FILE_BYTES } from '../attachments.ts';
import { tasks } from './resource.ts';
import { AttachmentItem, attachmentItem } from './schemas.ts';

const addAttachmentRoute = tasks.one.post(
  'attachments/',
  'Attach a file to a task',
  {
    description: "Only the task's assignee can, while it is open. 10 files of up to 10 MiB each.",
    query: { name: Type.String({ minLength: 1, maxLength: 200, description: 'The name of the file.' }) },
    body: Type.Unsafe<Buffer | null>({
      content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } },
    }),
    status: 201,
    reply: AttachmentItem,
    options: {
      bodyLimit: LARGEST_FILE_BYTES,
      errorHandler: (error, request, reply) => {
        const isOtherType = (error as { statusCode?: number }).statusCode === 415;
        return replyToError(
          isOtherType
            ? new DomainError('unsupported_media_type', 'Send the file as application/octet-stream.')
            : error,
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

/** Takes the bytes of any file. It takes no other media type. */
export const addAttachmentRoutes = (http: Http, tools: RouteTools) =>
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    addAttachmentRoute.add(scope as unknown as Http, tools);
  });
