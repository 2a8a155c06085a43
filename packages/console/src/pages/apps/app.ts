import type { Answer } from '../../api/client.ts';

/** An app as administrators see it. */
export type App = Answer<'/api/apps/{app_id}/'>;
