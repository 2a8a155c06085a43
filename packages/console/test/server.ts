import { join } from 'node:path';
import { ROOT, type Service, type ServiceOptions, startService } from '../../server/test/service.ts';
import { PASSWORD } from './seed.ts';
import { ADMIN } from './seed-company.ts';

/** Starts a Gatehouse with an owner who can sign in, in memory unless a database is given. It ends with this process. */
export function startGatehouse({
  database = { dataDir: 'memory://' },
  environment = {},
  ...rest
}: Partial<ServiceOptions> = {}): Promise<Service> {
  return startService({
    ...rest,
    database,
    environment: {
      GATEHOUSE_ADMIN_EMAIL: ADMIN,
      GATEHOUSE_ADMIN_PASSWORD: PASSWORD,
      GATEHOUSE_RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      // Saves compiling the server's sources at each start.
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/gatehouse/compiled'),
      ...environment,
    },
  });
}
