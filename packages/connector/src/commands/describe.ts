import { typesOf } from '../define.ts';
import { Exit } from '../errors.ts';
import { settingsSchema } from '../settings-schema.ts';
import { type Command, settingsOf } from './context.ts';

export const describe: Command = {
  summary: 'print the name, settings and capabilities of the connector as JSON',
  options: {},
  async run({ connector, print }) {
    const { name, version, description } = connector;
    const types = typesOf(connector).map(({ slug, kind, type }) => ({ slug, type: kind, name: type.name }));
    const tasks = Object.keys(connector.tasks ?? {}).filter((task) => task !== 'find');
    const settings = settingsOf(connector);
    const schema = settingsSchema(connector.config);
    const user_names = typeof connector.userNames === 'string' ? connector.userNames : null;
    const literal_secrets = connector.literalSecrets ?? [];
    print(
      JSON.stringify(
        { name, version, description, settings, schema, types, tasks, user_names, literal_secrets },
        null,
        2,
      ),
    );
    return Exit.ok;
  },
};
