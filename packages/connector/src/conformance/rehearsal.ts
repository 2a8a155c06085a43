import { join } from 'node:path';
import { createRedactor } from '../../../protocol/src/redact.ts';
import type { Connector } from '../define.ts';
import { silent } from '../progress.ts';
import { createService } from '../service.ts';
import { openState } from '../state.ts';
import { type Run, registerTypes, runSync, type SyncResult } from '../sync.ts';
import { type Subject, withSystem } from './check.ts';
import type { Fault } from './service/fault.ts';
import { type ScriptedService, startScriptedService } from './service/scripted.ts';

/** Runs a connector against a scripted service, with a separate app and state folder. */
export type Rehearsal = {
  service: ScriptedService;
  app: string;
  /** Name of the state folder. */
  state: string;
  /** Runs the connector in this process. A second call continues with the state of the first one. */
  run<T>(work: (run: Run) => Promise<T>): Promise<T>;
  sync(): Promise<SyncResult>;
};

let counter = 0;

export async function rehearse<T>(
  subject: Subject,
  faults: Fault[],
  work: (rehearsal: Rehearsal) => Promise<T>,
  connector: Connector = subject.connector,
): Promise<T> {
  const service = await startScriptedService(faults);
  const app = service.world.createApp('conformance').id;
  const state = `state-${++counter}`;
  const run: Rehearsal['run'] = (inside) =>
    withSystem({ ...subject, connector }, async (system) => {
      const { signal } = new AbortController();
      const client = createService({ url: service.url, key: service.key, log: silent, signal, pause: 5 });
      const memory = openState(join(subject.folder, state, app));
      try {
        const redactor = createRedactor();
        return await inside({
          connector,
          system,
          service: client,
          app,
          state: memory,
          progress: silent,
          redactor,
          signal,
          ...(subject.stage.clock ? { clock: subject.stage.clock } : {}),
        });
      } finally {
        memory.close();
      }
    });
  try {
    await run(({ service: client }) => registerTypes({ connector, service: client, app }));
    service.calls.length = 0;
    return await work({
      service,
      app,
      state,
      run,
      sync: () => run((each) => runSync(each, { guard: null })),
    });
  } finally {
    await service.close();
  }
}

export const callsOf = ({ service }: Rehearsal, pattern: RegExp): string[] =>
  service.calls.filter((call) => pattern.test(call));
export const started = /^POST .*\/sync$/;
export const completed = /\/complete$/;
export const abandoned = /\/abandon$/;
