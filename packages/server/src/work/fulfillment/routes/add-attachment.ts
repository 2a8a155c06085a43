import { Type } from 'typebox';
import { DomainError } from '../../../kit/errors.ts';
import { replyToError } from '../../../kit/http/errors.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { validatorCompiler } from '../../../kit/http/validation.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { addAttachment, LARGEST_FILE_BYTES } from '../attachments.ts';
import { AttachmentItem, attachmentItem, personal, TaskParams, tags, visible } from './schemas.ts';

/** Takes the bytes of any file. It takes no other media type. */
export async function addAttachmentRoute(http: Http, tools: RouteTools) {
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    (scope as unknown as Http).post(
      '/api/fulfillment/tasks/:task_id/attachments/',
      {
        config: personal,
        bodyLimit: LARGEST_FILE_BYTES,
        onRequest: visible(tools),
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
        schema: {
          tags,
          summary: 'Attach a file to a task',
          description: "Only the task's assignee can, while it is open. 10 files of up to 10 MiB each.",
          params: TaskParams,
          querystring: Type.Object({
            name: Type.String({ minLength: 1, maxLength: 200, description: 'The name of the file.' }),
          }),
          body: { content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } } },
          response: { 201: AttachmentItem },
        },
      },
      async (request, reply) => {
        const bytes = (request.body as Buffer | null) ?? Buffer.alloc(0);
        const { params, query } = request;
        const file = { name: query.name, bytes };
        const added = await addAttachment(callOf(tools.db, request), params.task_id, file);
        reply.code(201);
        return attachmentItem(added);
      },
    );
  });
}
