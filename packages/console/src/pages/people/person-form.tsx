import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { SHOWN_ATTRIBUTES } from '../../../../protocol/src/person-attributes.ts';
import { useMe } from '../../api/me.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { select } from '../../kit/form/choice-fields.tsx';
import { changesIn, orNull, type Values } from '../../kit/form/field.ts';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { valuesOf } from '../../kit/form/form-options.ts';
import { text } from '../../kit/form/text-fields.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import { fieldTitle } from '../../kit/text/field-words.ts';
import { person } from '../../people/person-fields.tsx';
import classes from './people.module.css';
import { attributeText, type DomainType, type NewPerson, type Person, selectOptions } from './person.ts';
import { IDENTITY_TYPES, ROLES } from './search.ts';

const DOMAIN_TYPES = valuesOf<DomainType>({ internal: true, external: true });

type Row = { name: string; value: string };

/** The attributes that lists, reviews and reports show, even without a value, and then the others. */
function rowsOf(attributes: Person['attributes']): Row[] {
  const names = new Set([...SHOWN_ATTRIBUTES, ...Object.keys(attributes)]);
  return [...names].map((name) => ({
    name,
    value: Object.hasOwn(attributes, name) ? attributeText(attributes[name]) : '',
  }));
}

/** Returns the attributes with a name and a value. */
const attributesIn = (rows: Row[]): Record<string, string> =>
  Object.fromEntries(
    rows
      .filter(({ name, value }) => name.trim() !== '' && value.trim() !== '')
      .map(({ name, value }) => [name.trim(), value] as const)
      .sort(),
  );

const name = (label: string) => text({ label, maxLength: 255 });
const day = (label: string) => orNull(text({ label, type: 'date' }));

const FIELDS = {
  email: text({
    label: t`Email`,
    description: t`Gatehouse links accounts with this email to the person.`,
    inputMode: 'email',
    required: true,
    maxLength: 320,
    'data-autofocus': true,
  }),
  first_name: name(t`First name`),
  last_name: name(t`Last name`),
  username: name(t`Username`),
  manager: person({ label: t`Manager` }),
  identity_type: select({
    label: t`Identity type`,
    data: selectOptions(IDENTITY_TYPES),
    initial: 'human',
  }),
  domain_type: select({ label: t`Domain type`, data: selectOptions(DOMAIN_TYPES), initial: 'internal' }),
  role: select({ label: t`Role`, data: selectOptions(ROLES), initial: 'member' }),
  start_date: day(t`Start date`),
  end_date: day(t`End date`),
  attributes: {
    label: t`Attributes`,
    initial: rowsOf({}),
    read: (stored: unknown) => rowsOf(stored as Person['attributes']),
    write: attributesIn,
    show: (rows: Row[]) =>
      Object.entries(attributesIn(rows))
        .map(([name, value]) => `${name}: ${value}`)
        .join(', '),
  },
};
type Draft = Values<typeof FIELDS>;

/** Returns the fields that differ from `before`, as the API takes them. */
function changesOf(draft: Draft, before: Draft): Partial<NewPerson> {
  const { attributes: _, username: __, ...changed } = changesIn(FIELDS, draft, before);
  // The email is the default username.
  const username = draft.username.trim() || draft.email;
  const attributes = attributeChanges(attributesIn(draft.attributes), attributesIn(before.attributes));
  return {
    ...changed,
    ...(username === before.username ? {} : { username }),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  } as Partial<NewPerson>;
}

/** Returns new and changed attributes by name, and null for each removed one: the API merges them. */
const attributeChanges = (now: Record<string, string>, before: Record<string, string>) =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(now)])]
      .filter((name) => now[name] !== before[name])
      .map((name) => [name, now[name] ?? null]),
  );

/** The API addresses an attribute by its name, the form by its row. */
function fieldOf(path: string, { attributes }: Draft): string {
  const [, name] = /^attributes\.(.+)$/.exec(path) ?? [];
  const row = attributes.findIndex((one) => one.name.trim() === name);
  return row === -1 ? path : `attributes.${row}.value`;
}

/** The first rows of a draft are the shown attributes. A row whose name somebody types stays where it is. */
const isShown = (row: number) => row < SHOWN_ATTRIBUTES.length;

interface Props {
  of?: Person;
  /** Loads a person who exists. */
  read?: () => Promise<Person>;
  /** The label of the button. */
  action: string;
  /** Sends the changed fields. */
  send: (changes: Partial<NewPerson>, version: string | undefined) => Promise<Person>;
  success: (person: Person) => string;
  after: (person: Person) => void;
}

export function PersonForm({ of, read, action, send, success, after }: Props) {
  const { role } = useMe();
  // Where fields come from that cannot be changed here.
  const sources = of?.sources ?? {};
  const fields = useFields(FIELDS, {
    of,
    read,
    send: (_, { values, before, version }) => send(changesOf(values, before), version),
    fieldOf,
    success,
    after,
  });
  const { form } = fields;
  const managed = Object.fromEntries(Object.keys(sources).map((name) => [name, { disabled: true }]));
  const props = {
    ...managed,
    username: { ...managed.username, placeholder: form.values.email },
    // Only owners may grant the owner role.
    role: {
      ...managed.role,
      data: selectOptions(role === 'owner' ? ROLES : ROLES.filter((one) => one !== 'owner')),
    },
  };
  return (
    <DialogForm {...fields} action={action}>
      {Object.keys(sources).length > 0 && (
        <Text size="sm" c="dimmed">
          <Trans>An identity provider manages some of these fields. Change them there.</Trans>
        </Text>
      )}
      <Fields of={fields} only={['email']} props={props} />
      <div className={classes.pair}>
        <Fields
          of={fields}
          only={['first_name', 'last_name', 'username', 'manager', 'identity_type', 'domain_type', 'role']}
          props={props}
        />
        <div />
        <Fields of={fields} only={['start_date', 'end_date']} props={props} />
        {form.values.attributes.map(({ name }, row) =>
          isShown(row) ? (
            <TextInput
              key={name}
              label={fieldTitle(`attributes.${name}`)}
              {...form.getInputProps(`attributes.${row}.value`)}
              disabled={sources[`attributes.${name}`] !== undefined}
            />
          ) : null,
        )}
      </div>
      <Attributes form={form} sources={sources} />
    </DialogForm>
  );
}

function Attributes({
  form,
  sources,
}: {
  form: UseFormReturnType<Values<typeof FIELDS>>;
  sources: NonNullable<Person['sources']>;
}) {
  return (
    <fieldset className={classes.attributes}>
      <legend>
        <Trans>Other attributes</Trans>
      </legend>
      <Stack gap={6}>
        {form.values.attributes.map(({ name }, row) =>
          isShown(row) ? null : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity; its name may change.
            <Group key={row} gap="xs" wrap="nowrap" align="flex-start">
              <TextInput
                aria-label={t`Name of attribute ${{ number: row + 1 }}`}
                placeholder={t`Name`}
                {...form.getInputProps(`attributes.${row}.name`)}
                disabled={sources[`attributes.${name}`] !== undefined}
                w="40%"
              />
              <TextInput
                aria-label={name === '' ? t`Value of attribute ${{ number: row + 1 }}` : name}
                placeholder={t`Value`}
                {...form.getInputProps(`attributes.${row}.value`)}
                disabled={sources[`attributes.${name}`] !== undefined}
                flex={1}
              />
            </Group>
          ),
        )}
        <Group>
          <Button
            variant="subtle"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => form.insertListItem('attributes', { name: '', value: '' })}
          >
            <Trans>Add attribute</Trans>
          </Button>
        </Group>
      </Stack>
    </fieldset>
  );
}
