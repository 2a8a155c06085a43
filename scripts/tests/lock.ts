import { existsSync, readFileSync } from 'node:fs';

/** Whether the process that wrote its ID into a file still runs. A process that died while it wrote left the file empty. */
export function isHeld(file: string): boolean {
  const pid = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return /^[1-9]\d*$/.test(pid) && existsSync(`/proc/${pid}`);
}
