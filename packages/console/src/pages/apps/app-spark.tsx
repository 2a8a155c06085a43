import { useQuery } from '@tanstack/react-query';
import { recentSyncs } from './recent-syncs.ts';
import { Spark } from './spark.tsx';
import { barsOf, recentWords } from './sync-outcomes.ts';

/** The newest syncs of an app, for a cell of a table. */
export function AppSpark({ appId }: { appId: string }) {
  const { data } = useQuery(recentSyncs(appId));
  if (data === undefined || data.length === 0) return null;
  return <Spark bars={barsOf(data)} label={recentWords(data)} />;
}
