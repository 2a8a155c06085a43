import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('ends a run that takes too long, and names the files that were running', async () => {
  const program = `
    import { Watchdog } from '${new URL('./watchdog.ts', import.meta.url)}';
    const file = (relativeModuleId) => ({ relativeModuleId, project: { name: 'packages' } });
    const watchdog = new Watchdog(0.001);
    watchdog.onTestRunStart();
    watchdog.onTestModuleStart(file('ended.test.ts'));
    watchdog.onTestModuleStart(file('running.test.ts'));
    watchdog.onTestModuleEnd(file('ended.test.ts'));
    setInterval(() => {}, 1000);`;

  await expect(run(process.execPath, ['--input-type=module', '-e', program])).rejects.toMatchObject({
    code: 1,
    stderr:
      'The tests took longer than 0.001 minutes. These files were running:\n  running.test.ts (packages)\n',
  });
});
