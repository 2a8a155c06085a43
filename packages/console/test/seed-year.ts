import { openDatabase } from '../../server/src/kit/database/open.ts';
import type { Service } from '../../server/test/service.ts';
import { type Seeded, seed } from './seed.ts';
import { monthsBefore, type SeededMonths } from './seed-months.ts';
import { startGatehouse } from './server.ts';

/** A Gatehouse with a year of data. */
export interface Year {
  service: Service;
  seeded: Seeded;
  months: SeededMonths;
}

/** Starts a Gatehouse in an empty folder, and fills it with a year of data. */
export async function startYear({ dataDir, ...at }: { dataDir: string; port?: number }): Promise<Year> {
  const first = await startGatehouse({ ...at, database: { dataDir } });
  const base = `${first.url}/org/acme`;
  const past = monthsBefore(base, first.key);
  const seeded = await seed(base, first.key, past);
  const { key } = first;
  const service = await changeData(first, dataDir, past.clock.statement());
  return { service: { ...service, key }, seeded, months: past.added };
}

/** Stops a service, runs a statement on its database, and starts it again at the same address. */
export async function changeData(service: Service, dataDir: string, statement: string): Promise<Service> {
  await service.stop();
  const database = await openDatabase({ url: undefined, dataDir });
  await database.exec(statement);
  await database.close();
  return startGatehouse({ database: { dataDir }, key: service.key, port: Number(new URL(service.url).port) });
}
