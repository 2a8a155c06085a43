import type { Answer } from '../../api/client.ts';

export type App = Answer<'/api/apps/{app_id}/'>;
