import { Exit, Failure } from '@gatehouse/connector';
import type { Target } from '../dsn.ts';
import type { Driver } from './driver.ts';
import { installCommand } from './install.ts';

/** Returns the driver of an engine. Few need those of SQL Server and Oracle, which are not installed with the connector. */
export async function openDriver(target: Target): Promise<Driver> {
  switch (target.engine) {
    case 'postgres':
      return (await import('./postgres.ts')).postgres(target);
    case 'mysql':
      return (await import('./mysql.ts')).mysqlOrMariaDb(target);
    case 'sqlite':
      return (await import('./sqlite.ts')).sqlite(target);
    case 'sqlserver':
      return (await optional('mssql', () => import('./sqlserver/sqlserver.ts'))).sqlServer(target);
    case 'oracle':
      return (await optional('oracledb', () => import('./oracle/oracle.ts'))).oracle(target);
  }
}

/** Node.js may not look for packages above the folders that a connector on the server can read. */
const MISSING: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'ERR_ACCESS_DENIED'];

async function optional<T>(name: 'mssql' | 'oracledb', load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!MISSING.includes((error as NodeJS.ErrnoException).code)) throw error;
    throw new Failure(`The package ${name} is not installed. ${installCommand(name)}`, Exit.usage);
  }
}
