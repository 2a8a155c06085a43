import { t } from '@lingui/core/macro';
import { CodeBlock } from '../../../kit/controls/code.tsx';
import { toggle } from '../../../kit/form/choice-fields.tsx';
import { asIs, changesIn, type Field, type FieldSet, orNull, type Values } from '../../../kit/form/field.ts';
import { number } from '../../../kit/form/number-field.tsx';
import { area, text } from '../../../kit/form/text-fields.tsx';
import type { Connector } from './connector.ts';
import { hasLines, settingAbout, settingLabel } from './labels.ts';
import type { Setting } from './setting.ts';

/** The name of a setting or a secret in the form, where a dot would address a property. */
export const nameOf = ({ name, writeOnly }: Setting) =>
  `${writeOnly === true ? 'secrets' : 'settings'}:${name}`;

/** The fields of a connector's settings and secrets, and its definition. */
export const fieldsOf = (settings: readonly Setting[]): FieldSet => ({
  definition: {
    ...asIs<string | null>(t`Definition`, null),
    show: (definition: string | null) => <CodeBlock text={definition ?? ''} what={t`definition`} />,
  },
  ...Object.fromEntries(settings.map((setting) => [nameOf(setting), fieldOf(setting)])),
});

function fieldOf({
  name,
  type,
  description,
  required,
  default: fallback,
  writeOnly,
}: Setting): Field<unknown> {
  const label = settingLabel(name);
  // The form draws secrets.
  if (writeOnly === true) return asIs(label, '');
  const common = { label, ...settingAbout(description) };
  if (type === 'boolean') return toggle({ ...common, initial: fallback === true });
  const hint = fallback === undefined || fallback === '' ? {} : { placeholder: String(fallback) };
  const props = { ...common, ...hint, required };
  if (type === 'number') return orNull(number({ ...props, allowDecimal: true }));
  const field: Field<string> = hasLines(name)
    ? area({ ...props, rows: 4, spellCheck: false })
    : text({ ...props, autoComplete: 'off', spellCheck: false });
  // Spaces stay: a setting can be a separator.
  return orNull({ ...field, write: (value) => value, show: String });
}

/** The values of the fields in a stored connector. Secrets stay on the server. */
export const storedIn = ({ definition, settings }: Pick<Connector, 'definition' | 'settings'>) => ({
  definition,
  ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`settings:${name}`, value])),
});

const named = (values: object, kind: string) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      name.startsWith(`${kind}:`) ? [[name.slice(kind.length + 1), value]] : [],
    ),
  );

/** Returns the fields of a request that creates or changes a connector. Null removes a setting or a secret. */
export function changeOf(
  fields: FieldSet,
  values: Values<FieldSet>,
  before: Values<FieldSet>,
  removed: readonly string[] = [],
) {
  const entered = Object.entries(named(values, 'secrets')).filter(([, value]) => value !== '');
  return {
    settings: named(changesIn(fields, values, before), 'settings'),
    secrets: Object.fromEntries([...entered, ...removed.map((name) => [name, null])]),
  };
}
