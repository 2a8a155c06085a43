import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Connector, runCommandLine, variableOf } from '@gatehouse/connector';
import { startScriptedService } from '@gatehouse/connector/conformance';

export type Ended = { code: number; said: string };

/** Creates a folder for a test, with a SQLite database in it. */
export function createDatabase(sql: string) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sql-'));
  const path = join(folder, 'app.db');
  const db = new DatabaseSync(path);
  db.exec('pragma journal_mode = wal');
  db.exec(sql);
  return {
    db,
    path,
    close: () => {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A service in memory, with an app that connectors sync. */
export async function startService() {
  const service = await startScriptedService();
  const app = service.world.createApp('sql').id;
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sql-state-'));
  const run = async (connector: Connector, settings: Record<string, string>, args: string[]) => {
    const values = Object.entries(settings).map(([name, value]) => [variableOf(connector.name, name), value]);
    const env = {
      ...Object.fromEntries(values),
      GATEHOUSE_URL: service.url,
      GATEHOUSE_API_KEY: service.key,
      GATEHOUSE_APP: app,
      GATEHOUSE_STATE_DIR: folder,
    };
    const written: string[] = [];
    const into = { write: (text: string) => written.push(text) };
    const { signal } = new AbortController();
    const code = await runCommandLine(connector, args, {
      env,
      stdin: process.stdin,
      stdout: into,
      stderr: into,
      signal,
      // Nothing changes in a database by itself.
      clock: { now: () => 0, sleep: async () => {} },
    });
    return { code, said: written.join('') };
  };
  return {
    sync: (connector: Connector, settings: Record<string, string> = {}): Promise<Ended> =>
      run(connector, settings, ['sync', '--guard', 'off']),
    check: (connector: Connector, settings: Record<string, string> = {}): Promise<Ended> =>
      run(connector, settings, ['check']),
    /** Creates a task, carries it out and returns its report. */
    async perform(
      connector: Connector,
      settings: Record<string, string>,
      ...task: Parameters<typeof service.world.addTask> extends [unknown, ...infer Rest] ? Rest : never
    ): Promise<string> {
      const { id } = service.world.addTask(app, ...task);
      await run(connector, settings, ['tasks', '--execute']);
      const { status, error } = service.world.find(app).tasks.get(id) ?? { status: 'gone' };
      return error ? `${error.code}: ${error.message}` : status;
    },
    inventory: () => service.world.inventory(app) as Record<string, Record<string, unknown>[]>,
    completed: () => service.calls.filter((call) => call.endsWith('/complete')).length,
    async stop() {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
