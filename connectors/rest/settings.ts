import { text } from '@gatehouse/connector';
import { settingsOf } from '@gatehouse/connector/declarative';
import type { Definition } from './definition.ts';

/** Returns the settings of a definition: its placeholders, and those that it only describes and uses in expressions. */
export function fieldsOfSettings({ settings = {}, ...rest }: Definition): ReturnType<typeof settingsOf> {
  const described = Object.keys(settings).map((name) => `\${${name}}`);
  const fields = Object.entries(settingsOf([rest, described])).map(([name, field]) => [
    name,
    { ...field, description: settings[name] ?? field.description },
  ]);
  return {
    ...Object.fromEntries(fields),
    deliverTo: text('program that receives new passwords as JSON on standard input', {
      optional: true,
      local: true,
    }),
  };
}
