import { readAgain } from '../receive.ts';
import { uploadView } from '../upload.ts';
import { atBoth } from './places.ts';
import { ReadOptionsBody, UploadView } from './schemas.ts';

export const readUploadRoute = atBoth((http, { db }, place) => {
  http.post(
    `${place.uploadPath}read/`,
    {
      config: place.config,
      onRequest: place.onUpload(db),
      schema: {
        tags: [place.tag],
        summary: `Read an upload ${place.of} in another way`,
        description:
          'Reads the file with another encoding, separator or sheet. What is left out is detected.',
        params: place.uploadParams,
        body: ReadOptionsBody,
        response: { 200: UploadView },
      },
    },
    async (request) => {
      const { orgId } = request.principal;
      const upload = await readAgain(
        db,
        orgId,
        place.targetOf(request),
        place.idOf(request),
        request.body as Parameters<typeof readAgain>[4],
      );
      return uploadView(db, orgId, upload);
    },
  );
});
