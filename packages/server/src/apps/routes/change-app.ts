import type { Http, RouteTools } from '../../platform/http/server.ts';
import { changeSettings } from '../admin.ts';
import { withApp } from '../with-app.ts';
import { callerOf } from './caller.ts';
import { AppChange, AppParams, AppView, administrators, approvalStep, appView, tags } from './schemas.ts';

/** Changes the settings of an app: name, owner, approval and removal guard. */
export function changeAppRoute(http: Http, { db }: RouteTools) {
  http.patch(
    '/api/apps/:app_id/',
    {
      config: administrators,
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'Change the settings of an app',
        params: AppParams,
        body: AppChange,
        response: { 200: AppView },
      },
    },
    async (request) => {
      const { bridgeApp, body } = request;
      const { approval_steps: steps, ...rest } = body;
      const change = steps === undefined ? rest : { ...rest, approval_steps: steps.map(approvalStep) };
      return appView(await changeSettings(db, callerOf(request), bridgeApp.id, change));
    },
  );
}
