import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { variableOf } from '../config.ts';
import type { Subject } from './check.ts';
import type { ScriptedService } from './service/scripted.ts';

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

/** Starts the connector as a process, as an administrator would. */
export function startProcess(
  { connector, file, stage, folder }: Subject,
  args: string[],
  target: { service: ScriptedService; app: string; state: string } | undefined,
): { child: ChildProcess; ended: Promise<Ended> } {
  const settings = Object.entries(stage.settings).map(([name, value]) => [
    variableOf(connector.name, name),
    String(value),
  ]);
  const service = target
    ? {
        GATEHOUSE_URL: target.service.url,
        GATEHOUSE_API_KEY: target.service.key,
        GATEHOUSE_APP: target.app,
        GATEHOUSE_STATE_DIR: join(folder, target.state),
      }
    : {};
  const env = { ...process.env, ...Object.fromEntries(settings), ...service };
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<Pick<Ended, 'code' | 'signal'>>((resolve) =>
      child.on('exit', (code, signal) => resolve({ code, signal })),
    ),
  ]).then(([stdout, stderr, end]) => ({ stdout, stderr, ...end }));
  return { child, ended };
}
