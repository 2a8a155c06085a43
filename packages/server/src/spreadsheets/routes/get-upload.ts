import { uploadOf, uploadView } from '../upload.ts';
import { atBoth } from './places.ts';
import { UploadView } from './schemas.ts';

export const getUploadRoute = atBoth((http, { db }, place) => {
  http.get(
    place.uploadPath,
    {
      config: place.config,
      onRequest: place.onUpload(db),
      schema: {
        tags: [place.tag],
        summary: `Get an upload ${place.of}`,
        params: place.uploadParams,
        response: { 200: UploadView },
      },
    },
    async (request) => {
      const { orgId } = request.principal;
      const upload = await uploadOf(db, orgId, place.targetOf(request), place.idOf(request));
      return uploadView(db, orgId, upload);
    },
  );
});
