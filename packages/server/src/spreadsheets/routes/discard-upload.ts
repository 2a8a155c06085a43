import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { discardUpload } from '../apply.ts';
import { atBoth } from './places.ts';

export const discardUploadRoute = atBoth((http, { db }, place) => {
  http.delete(
    place.uploadPath,
    {
      config: place.config,
      onRequest: place.onUpload(db),
      schema: {
        tags: [place.tag],
        summary: `Discard an upload ${place.of}`,
        description: 'Deletes the file, and ends its sync session without publishing it.',
        params: place.uploadParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const target = place.targetOf(request);
      await discardUpload(db, request.principal.orgId, target, place.idOf(request), causeOf(request));
      reply.code(204);
      return null;
    },
  );
});
