import type { Mapping } from '#work/spreadsheets/mapping.ts';
import type { Answer } from './app.ts';
import type { SyncTest } from './sync.ts';
import { until } from './until.ts';

/** The uploads of an app, or those of people without one. */
export function uploadsTo(service: SyncTest, app?: { id: string }) {
  const path = app === undefined ? '/api/users/uploads/' : `/api/apps/${app.id}/uploads/`;
  const uploads = {
    async send(bytes: Buffer | string): Promise<Answer> {
      const reply = await service.app.http.inject({
        method: 'POST',
        url: `/org/${service.org}${path}?file_name=file`,
        headers: { authorization: `Api-Key ${service.key}`, 'content-type': 'application/octet-stream' },
        payload: bytes,
      });
      return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
    },
    /** Checks the rows, and waits until a job has done so. `change` changes the suggested mapping. */
    async check(id: string, change: Partial<Mapping> = {}): Promise<Answer> {
      const { body } = await service.call('GET', `${path}${id}/`);
      const mapping = { ...body.suggestion, ...change };
      const started = await service.call('POST', `${path}${id}/check/`, { mapping });
      if (started.status !== 202) return started;
      return until(
        'the check of an upload',
        () => service.call('GET', `${path}${id}/`),
        ({ body: upload }) => upload.status !== 'checking',
      );
    },
    apply: (id: string, body?: object) => service.call('POST', `${path}${id}/apply/`, body),
    /** Sends a file and checks its rows. */
    async plan(bytes: Buffer | string, change: Partial<Mapping> = {}): Promise<Answer['body']> {
      const { body } = await uploads.send(bytes);
      return (await uploads.check(body.upload_id, change)).body;
    },
  };
  return uploads;
}
