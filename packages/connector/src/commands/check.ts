import { Exit } from '../errors.ts';
import { unlessAborted } from '../interrupt.ts';
import { type Command, jsonOption, resultJson, systemOptions, withSystem } from './context.ts';

export const check: Command = {
  summary: 'check the settings and credentials',
  options: { ...systemOptions, ...jsonOption },
  async run(context) {
    const { connector, values, print, progress, signal } = context;
    for (const problem of [...(connector.literalSecrets ?? []), ...(connector.warnings ?? [])])
      progress.warn(problem);
    await withSystem(context, async (system) => unlessAborted(connector.check?.(system), signal));
    print(
      values.json
        ? resultJson({ ok: true, connector: connector.name })
        : `${connector.name} is reachable and its credentials work`,
    );
    return Exit.ok;
  },
};
