import { Exit } from '../errors.ts';
import { workOffTasks } from '../tasks.ts';
import { type Command, jsonOption, resultJson, serviceOptions, systemOptions, withRun } from './context.ts';

export const tasks: Command = {
  summary: 'list pending tasks or carry them out',
  options: {
    ...systemOptions,
    ...serviceOptions,
    ...jsonOption,
    execute: { type: 'boolean', description: 'carry out all pending tasks once' },
  },
  async run(context) {
    const { values, print } = context;
    return withRun(context, async (run) => {
      if (values.execute) {
        const tally = await workOffTasks(run);
        const { completed, failed, unreported } = tally;
        print(
          values.json
            ? resultJson(tally)
            : `${completed} completed, ${failed} failed, ${unreported} not reported yet`,
        );
        return unreported > 0 ? Exit.later : Exit.ok;
      }
      const pending = await run.service.pendingTasks(run.app);
      if (values.json) print(JSON.stringify(pending));
      else if (pending.length === 0) print('no pending tasks');
      else
        for (const task of pending)
          print([task.created_at, task.action, task.payload.account?.id ?? '', task.id].join('  '));
      return Exit.ok;
    });
  },
};
