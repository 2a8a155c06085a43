import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import { proofRoutes } from './routes/proofs.ts';

export const proof = (tools: Tools): Feature => ({ routes: (http) => addRoutes(http, tools, proofRoutes) });
