import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { account, addApp } from './kit/apps.ts';
import { callerOf } from './kit/caller.ts';
import { inParallel, quantile } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { DURABLE, KEY, type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `overload`: pages of 100 accounts, at the rate that the server reaches with 32 pushers, and at twice that rate
 * whatever it replies. A prober in a thread of its own asks /healthz every 10 ms. Every acknowledged page must be in the
 * published inventory.
 */
const PUSHERS = 32;
const PAGE = 100;
const AIM_MS = 250;

export async function run({ small }: Options, use: Use) {
  const database = await use(startDatabase(DURABLE));
  const service = await use(startService(database.url));
  await measure(service, small ? 3 : 10);
}

interface Phase {
  accepted: Set<number>;
  refused: number;
  failed: number;
  seconds: number;
}

async function measure(service: Service, seconds: number) {
  const appId = await addApp(service);
  const path = `/api/v1/bridge/apps/${appId}/sync/`;
  const { sync_id } = await service.call<{ sync_id: string }>('POST', path);
  const { exchange } = callerOf(service.baseUrl, KEY);
  const prober = await startProber(service.origin);
  let nextPage = 0;
  const push = async (phase: Phase) => {
    const page = nextPage++;
    const { status } = await exchange('PUT', `${path}${sync_id}/account/`, bodyOf(page)).catch(() => FAILED);
    if (status === 200) phase.accepted.add(page);
    else if (status === 503) phase.refused++;
    else phase.failed++;
  };

  const idle = await prober.during(() => sleep(2000));
  const warmUp = await closedLoop(2, push);
  let atCapacity: Phase = emptyPhase();
  const capacityHealth = await prober.during(async () => {
    atCapacity = await closedLoop(seconds, push);
  });
  const rate = atCapacity.accepted.size / atCapacity.seconds;
  let beyond: Phase = emptyPhase();
  const beyondHealth = await prober.during(async () => {
    beyond = await openLoop(seconds, 2 * rate, push);
  });
  await prober.stop();
  await service.printPeakMemory();

  await service.call('POST', `${path}${sync_id}/complete/`);
  let counts: { created: number } | null | undefined;
  while (!counts) {
    await sleep(200);
    ({ counts } = await service.call<{ counts?: { created: number } | null }>('GET', `${path}${sync_id}/`));
  }

  const row = (name: string, phase: Phase, health: Health) => [
    name,
    phase.accepted.size / (phase.seconds || 1),
    String(phase.refused),
    String(phase.failed),
    health.median,
    health.most,
    health.longest,
  ];
  printTable(
    `pages of ${PAGE} accounts; /healthz in ms (aim: under ${AIM_MS})`,
    ['', 'pages/s', 'refused', 'failed', 'median', '99 %', 'longest'],
    [
      row('idle', emptyPhase(), idle),
      row('at capacity', atCapacity, capacityHealth),
      row('at twice the capacity', beyond, beyondHealth),
    ],
  );
  const acknowledged = warmUp.accepted.size + atCapacity.accepted.size + beyond.accepted.size;
  console.log(
    `acknowledged pages: ${acknowledged}; accounts published: ${counts.created} (must be ${acknowledged * PAGE})`,
  );
}

const FAILED = { status: 0 };

const emptyPhase = (): Phase => ({ accepted: new Set(), refused: 0, failed: 0, seconds: 0 });

/** Pushes with a fixed number of pushers. */
async function closedLoop(seconds: number, push: (phase: Phase) => Promise<void>): Promise<Phase> {
  const phase = emptyPhase();
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  await inParallel(PUSHERS, async () => {
    while (elapsed() < seconds) await push(phase);
  });
  return { ...phase, seconds: elapsed() };
}

/** Pushes at a fixed rate, however many replies are still to come. */
async function openLoop(
  seconds: number,
  rate: number,
  push: (phase: Phase) => Promise<void>,
): Promise<Phase> {
  const phase = emptyPhase();
  const pushes: Promise<void>[] = [];
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  while (elapsed() < seconds) {
    while (pushes.length < elapsed() * rate) pushes.push(push(phase));
    await sleep(5);
  }
  await Promise.all(pushes);
  return { ...phase, seconds: elapsed() };
}

const bodyOf = (page: number) =>
  JSON.stringify({
    records: Array.from({ length: PAGE }, (_, i) => ({ ...account(page * PAGE + i, 0), memberships: {} })),
  });

interface Health {
  median: number;
  most: number;
  longest: number;
}

async function startProber(origin: string) {
  const worker = new Worker(new URL('./overload-prober.ts', import.meta.url), { workerData: { origin } });
  const waits = () =>
    new Promise<number[]>((resolve) => {
      worker.once('message', resolve);
      worker.postMessage('report');
    });
  return {
    during: async (work: () => Promise<unknown>): Promise<Health> => {
      await waits();
      await work();
      const times = await waits();
      return { median: quantile(times, 0.5), most: quantile(times, 0.99), longest: quantile(times, 1) };
    },
    stop: () => worker.terminate(),
  };
}
