import { Counter, Gauge, type Registry } from 'prom-client';
import type { Replica } from '../database/replica.ts';

/** Publishes the state of the replica. The lag has no value until the replica has been reached. */
export function observeReplica(registry: Registry, replica: Replica) {
  const gauge = (name: string, help: string, read: () => number | null) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read() ?? Number.NaN);
      },
    });
  gauge('gatehouse_replica_usable', 'Whether requests read from the replica: 1 or 0.', () =>
    replica.status().state === 'usable' ? 1 : 0,
  );
  gauge(
    'gatehouse_replica_lag_bytes',
    'How far the replica was behind the primary when it was last checked.',
    () => replica.status().lagBytes,
  );
  gauge(
    'gatehouse_replica_lag_seconds',
    'How old the last transaction of a replica that was behind the primary was when it was last checked.',
    () => replica.status().lagSeconds,
  );
  new Counter({
    name: 'gatehouse_reads_total',
    help: 'Requests that may read from the replica, by the side that served them.',
    labelNames: ['side'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [side, reads] of Object.entries(replica.status().reads)) this.inc({ side }, reads);
    },
  });
  new Counter({
    name: 'gatehouse_reads_repeated_total',
    help: 'Statements that failed on the replica and were repeated on the primary.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(replica.status().repeated);
    },
  });
}
