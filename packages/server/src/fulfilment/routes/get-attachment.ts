import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { attachmentOf, contentOf } from '../attachments.ts';
import { AttachmentParams, reading, tags, visible } from './schemas.ts';

export function getAttachmentRoute(http: Http, tools: RouteTools) {
  http.get(
    '/api/fulfilment/tasks/:task_id/attachments/:attachment_id/',
    {
      config: reading,
      onRequest: visible(tools),
      schema: {
        tags,
        summary: 'Download an attachment',
        description: 'Always a download of the type application/octet-stream, whatever the file contains.',
        params: AttachmentParams,
        response: {
          200: { content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } } },
        },
      },
    },
    async ({ principal, params }, reply) => {
      const { db } = tools;
      const file = await attachmentOf(db, principal.orgId, params.task_id, params.attachment_id);
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
      return (reply as FastifyReply).send(Readable.from(contentOf(db, principal.orgId, file))) as never;
    },
  );
}
