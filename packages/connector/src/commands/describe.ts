import { typesOf } from '../define.ts';
import { Exit } from '../errors.ts';
import { type Command, settingsOf } from './context.ts';

export const describe: Command = {
  summary: 'print the name, settings and capabilities of the connector as JSON',
  options: {},
  async run({ connector, print }) {
    const { name, version, description } = connector;
    const types = typesOf(connector).map(({ slug, kind, type }) => ({ slug, type: kind, name: type.name }));
    const tasks = Object.keys(connector.tasks ?? {}).filter((task) => task !== 'find');
    print(
      JSON.stringify({ name, version, description, settings: settingsOf(connector), types, tasks }, null, 2),
    );
    return Exit.ok;
  },
};
