import { causeOf } from '../../identity/cause.ts';
import { startCheck } from '../check.ts';
import type { Mapping } from '../mapping.ts';
import { checkPeople } from '../people.ts';
import { uploadView } from '../upload.ts';
import { atBoth } from './places.ts';
import { CheckBody, UploadView } from './schemas.ts';

export const checkUploadRoute = atBoth((http, tools, place) => {
  const { db } = tools;
  http.post(
    `${place.uploadPath}check/`,
    {
      config: place.config,
      onRequest: place.onUpload(db),
      schema: {
        tags: [place.tag],
        summary: `Check the rows of an upload ${place.of}`,
        description:
          'Lists the problems of the rows, or plans the changes if there are none. For an app, 202: a job checks the rows and pushes them into a sync session, which replaces an open session of the app. Ask for the upload until it is no longer `checking`; the plan of its session shows the changes.',
        params: place.uploadParams,
        body: CheckBody,
        response: { 200: UploadView, 202: UploadView },
      },
    },
    async (request, reply) => {
      const { principal } = request;
      const target = place.targetOf(request);
      const id = place.idOf(request);
      const { mapping } = request.body as { mapping: Mapping };
      if (target !== null) reply.code(202);
      const upload =
        target === null
          ? await checkPeople(tools, principal, causeOf(request), id, mapping)
          : await startCheck(tools, principal, causeOf(request), target, id, mapping);
      return uploadView(db, principal.orgId, upload);
    },
  );
});
