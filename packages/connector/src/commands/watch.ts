import { Exit, Failure } from '../errors.ts';
import { watch as runWatch } from '../watch.ts';
import {
  type Command,
  jsonOption,
  resultJson,
  serviceOptions,
  systemOptions,
  type Values,
  withRun,
} from './context.ts';
import { guardFrom, sentence, sync } from './sync.ts';

export const watch: Command = {
  summary: 'sync repeatedly, and carry out tasks with --provisioning',
  options: {
    ...systemOptions,
    ...serviceOptions,
    ...jsonOption,
    guard: sync.options.guard,
    provisioning: { type: 'boolean', description: 'also carry out tasks' },
    every: { type: 'string', value: 'SECONDS', description: 'time between full syncs (default 3600)' },
    poll: {
      type: 'string',
      value: 'SECONDS',
      description: 'time between polls for tasks (default 30, at least 10)',
    },
  },
  async run(context) {
    const { values, print } = context;
    const options = {
      guard: guardFrom(values),
      every: seconds(values, 'every', 3600, 10),
      poll: seconds(values, 'poll', 30, 10),
      provisioning: values.provisioning === true,
    };
    await withRun(context, (run) =>
      runWatch(run, {
        ...options,
        onSync: (result) => print(values.json ? resultJson(result) : sentence(result)),
      }),
    );
    return Exit.ok;
  },
};

function seconds(values: Values, name: string, fallback: number, least: number): number {
  const value = values[name] === undefined ? fallback : Number(values[name]);
  if (!(value >= least)) throw new Failure(`--${name} takes seconds, ${least} or more`, Exit.usage);
  return value;
}
