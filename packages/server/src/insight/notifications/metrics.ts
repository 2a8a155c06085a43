import type { Db } from '../../kit/database/open.ts';
import { countWaiting } from './queries/outbox.ts';

/** The attempts of this node, and the deliveries of all nodes that are waiting. */
export interface DeliveryMetrics {
  note(medium: 'email' | 'chat', ok: boolean): void;
  attempts(): { medium: string; result: string; count: number }[];
  waiting(): Promise<{ medium: string; n: number }[]>;
}

export function createDeliveryMetrics(db: Db): DeliveryMetrics {
  const counts = new Map<string, number>();
  return {
    note: (medium, ok) => {
      const name = `${medium} ${ok ? 'sent' : 'failed'}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    attempts: () =>
      [...counts].map(([name, count]) => {
        const [medium = '', result = ''] = name.split(' ');
        return { medium, result, count };
      }),
    waiting: () => countWaiting(db),
  };
}
