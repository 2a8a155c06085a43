import { Exit } from '../errors.ts';
import { testConnector } from '../trial.ts';
import { type Command, jsonOption, openSystem, resultJson, systemOptions } from './context.ts';

export const test: Command = {
  summary: 'connect to the system, sign in, and list the first two pages of each resource type',
  options: { ...systemOptions, ...jsonOption },
  async run(context) {
    const { connector, values, print, signal, progress } = context;
    const opened = openSystem(context);
    const result = await testConnector({ connector, signal, log: progress }, async () => {
      const { system } = await opened.open();
      return system;
    }).finally(() => opened.close());
    if (values.json) print(resultJson(result));
    else
      for (const { step, type, status, message } of result.steps)
        print(`${status.padEnd(8)}${type === undefined ? step : `${step} ${type}`}: ${message}`);
    return result.ok ? Exit.ok : Exit.failed;
  },
};
