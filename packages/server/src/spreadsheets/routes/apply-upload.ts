import { causeOf } from '../../identity/cause.ts';
import { applyUpload } from '../apply.ts';
import { applyPeople } from '../people.ts';
import { uploadView } from '../upload.ts';
import { atBoth } from './places.ts';
import { UploadView } from './schemas.ts';

export const applyUploadRoute = atBoth((http, tools, place) => {
  const { db } = tools;
  http.post(
    `${place.uploadPath}apply/`,
    {
      config: place.config,
      onRequest: place.onUpload(db),
      schema: {
        tags: [place.tag],
        summary: `Apply an upload ${place.of}`,
        description:
          'For an app, completes the sync session of the upload. For people, imports all rows. 409 if something else has changed what the plan shows.',
        params: place.uploadParams,
        response: { 200: UploadView },
      },
    },
    async (request) => {
      const { principal } = request;
      const target = place.targetOf(request);
      const id = place.idOf(request);
      const upload =
        target === null
          ? await applyPeople(tools, principal, causeOf(request), id)
          : await applyUpload(tools, principal.orgId, causeOf(request), target, id);
      return uploadView(db, principal.orgId, upload);
    },
  );
});
