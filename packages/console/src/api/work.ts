import { useQuery } from '@tanstack/react-query';
import { type Answer, get } from './client.ts';

export type Work = Answer<'/api/work/'>;

const EVERY_MS = 60_000;

/** Returns what waits for the signed-in person. Undefined while it loads. The navigation and the first page share it. */
export const useWork = (): Work | undefined =>
  useQuery({ ...get('/api/work/'), refetchInterval: EVERY_MS }).data;
