import { Gauge, type Registry } from 'prom-client';
import type { Database } from '#kit/database.ts';
import { figuresOf } from '#kit/http/metrics.ts';
import { webhookFigures } from './webhooks.ts';

/** Publishes the webhooks of all organizations whose next event fails, and the events that wait for them. */
export function observeWebhooks(registry: Registry, database: Database): void {
  const figures = figuresOf(() => webhookFigures(database), { failing: 0, waiting: 0 });
  new Gauge({
    name: 'gatehouse_webhooks_failing',
    help: 'Webhooks of all organizations whose next event could not be delivered.',
    registers: [registry],
    async collect() {
      await figures.read();
      this.set(figures.last().failing);
    },
  });
  new Gauge({
    name: 'gatehouse_webhook_events_waiting',
    help: 'Events that wait behind those that could not be delivered: 100 at most for each of 20 webhooks.',
    registers: [registry],
    collect() {
      this.set(figures.last().waiting);
    },
  });
}
