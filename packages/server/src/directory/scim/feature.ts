import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import type { CountHolds } from './clients.ts';
import { forgetOldNotes } from './queries/notes.ts';
import { clientRoutes } from './routes/clients.ts';
import { scimRoutes } from './routes/index.ts';

/** `countHolds` is known to a higher layer. */
export const scim = (tools: Tools, { countHolds }: { countHolds: CountHolds }): Feature => ({
  routes: async (http) => {
    await scimRoutes(http, tools);
    addRoutes(http, tools, clientRoutes(countHolds));
  },
  jobs: () =>
    tools.jobs.define({
      name: 'scim.forget-notes',
      attempts: 1,
      cron: '17 * * * *',
      work: () => forgetOldNotes(tools.db),
    }),
});
