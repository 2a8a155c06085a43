import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const FOLDERS = { mssql: 'sqlserver', oracledb: 'oracle' };

/**
 * Returns a sentence with the command that installs the package of a driver. In a checkout, each driver has a folder of its
 * own, so that `npm start` and `npm test` neither install nor remove it.
 */
export function installCommand(name: keyof typeof FOLDERS, here: string = import.meta.dirname): string {
  const inside = here.indexOf(`${sep}node_modules${sep}`);
  if (inside === -1)
    return `In the folder of Gatehouse, run: npm ci --prefix connectors/sql/drivers/${FOLDERS[name]}`;
  // The installed server has the folders of a checkout.
  const own = join(here, FOLDERS[name]);
  if (existsSync(join(own, 'package-lock.json'))) return `Run: npm ci --prefix ${own}`;
  const { peerDependencies } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { peerDependencies: Record<string, string> };
  const folder = here.slice(0, inside);
  const where = existsSync(join(folder, 'package.json')) ? `--prefix ${folder}` : '--global';
  return `Run: npm install ${where} ${name}@${peerDependencies[name]}`;
}
