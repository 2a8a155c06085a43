import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import { createTaskRoute } from './routes/create-task.ts';

export const manual = (tools: Tools): Feature => ({
  routes: (http) => addRoutes(http, tools, [createTaskRoute]),
});
