import { counted } from '../counted.ts';
import { Exit } from '../errors.ts';
import { previewConnector } from '../trial.ts';
import { type Command, jsonOption, resultJson, systemOptions, withSystem } from './context.ts';

export const preview: Command = {
  summary: 'print the first records of each resource type as a sync would push them, and send nothing',
  options: { ...systemOptions, ...jsonOption },
  async run(context) {
    const { connector, values, print, signal, progress } = context;
    const types = await withSystem(context, (system) =>
      previewConnector({ connector, signal, log: progress }, system),
    );
    if (values.json) print(resultJson({ types }));
    else
      for (const { slug, records, skipped, more } of types) {
        print(`${slug}: ${counted(records.length, 'record')}${more ? ', and there are more' : ''}`);
        for (const record of records) print(`  ${JSON.stringify(record)}`);
        for (const { id, reason } of skipped) print(`  skipped '${id}': ${reason}`);
      }
    return types.some(({ skipped }) => skipped.length > 0) ? Exit.abandoned : Exit.ok;
  },
};
