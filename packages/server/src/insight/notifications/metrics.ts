import { Counter, Gauge, type Registry } from 'prom-client';
import type { Db } from '#kit/database.ts';
import { figuresOf } from '#kit/http/metrics.ts';
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

/** Publishes the deliveries by email and chat. */
export function observeDeliveries(registry: Registry, deliveries: DeliveryMetrics): void {
  const registers = [registry];
  new Counter({
    name: 'gatehouse_notification_attempts_total',
    help: 'Attempts of this node to send notifications by email and chat, by their result.',
    labelNames: ['medium', 'result'],
    registers,
    collect() {
      this.reset();
      for (const { count, ...labels } of deliveries.attempts()) this.inc(labels, count);
    },
  });
  const waiting = figuresOf(() => deliveries.waiting(), []);
  new Gauge({
    name: 'gatehouse_notifications_waiting',
    help: 'Deliveries of all nodes that are waiting to be sent, also those for a later time.',
    labelNames: ['medium'],
    registers,
    async collect() {
      await waiting.read();
      this.reset();
      for (const { medium, n } of waiting.last()) this.set({ medium }, n);
    },
  });
}
