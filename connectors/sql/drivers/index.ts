import { Exit, Failure } from '@gatehouse/connector';
import type { Target } from '../dsn.ts';
import type { Driver } from './driver.ts';

/** Returns the driver of an engine. Those of SQL Server and Oracle are optional packages. */
export async function openDriver(target: Target): Promise<Driver> {
  switch (target.engine) {
    case 'postgres':
      return (await import('./postgres.ts')).postgres(target);
    case 'mysql':
      return (await import('./mysql.ts')).mysqlOrMariaDb(target);
    case 'sqlite':
      return (await import('./sqlite.ts')).sqlite(target);
    case 'sqlserver':
      await requirePackage('mssql', () => import('mssql'));
      return (await import('./sqlserver.ts')).sqlServer(target);
    case 'oracle':
      await requirePackage('oracledb', () => import('oracledb'));
      return (await import('./oracle.ts')).oracle(target);
  }
}

async function requirePackage(name: string, load: () => Promise<unknown>): Promise<void> {
  try {
    await load();
  } catch (error) {
    throw new Failure(`the package "${name}" is not installed; run npm install ${name}`, Exit.usage, {
      cause: error,
    });
  }
}
