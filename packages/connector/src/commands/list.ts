import { withoutCandidates } from '../candidates.ts';
import { itemsOf, typesOf } from '../define.ts';
import { Exit, Failure } from '../errors.ts';
import { type Command, systemOptions, withSystem } from './context.ts';

export const list: Command = {
  summary: 'print every record as a JSON line and send nothing',
  options: {
    ...systemOptions,
    type: { type: 'string', value: 'SLUG', description: 'only this resource type' },
  },
  async run(context) {
    const { connector, values, progress, signal, print } = context;
    const types = typesOf(connector).filter(({ slug }) => values.type === undefined || values.type === slug);
    if (types.length === 0) throw new Failure(`unknown resource type "${values.type}"`, Exit.usage);
    let skipped = 0;
    const skip = (id: string, why: string) => {
      skipped++;
      progress.warn(`skipped '${id}': ${why}`);
    };
    await withSystem(context, async (system) => {
      for (const { slug, type } of types) {
        for await (const item of itemsOf(type, system, { from: undefined, signal, log: progress, skip })) {
          for (const record of 'records' in item ? item.records : [item])
            print(JSON.stringify({ type: slug, ...withoutCandidates(record) }));
        }
      }
    });
    return skipped > 0 ? Exit.failed : Exit.ok;
  },
};
