import type { Feature, Tools } from '#kit/feature.ts';
import { peopleRoutes } from './routes/index.ts';

export const people = (tools: Tools): Feature => ({ routes: (http) => peopleRoutes(http, tools) });
