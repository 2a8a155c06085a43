import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMe } from '../../api/me.ts';
import type { Edits, Row } from '../../kit/form/edits.ts';
import { picker, useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { valuesOf } from '../../kit/form/form-options.ts';
import { IconPlus } from '../../kit/icons/icons.ts';
import { PersonName, PersonPicker } from '../../people/person.tsx';
import { roleWord } from '../../people/roles.ts';
import classes from './people.module.css';
import {
  attributeText,
  type DomainType,
  labelOf,
  type NewPerson,
  type Person,
  selectOptions,
} from './person.ts';
import { IDENTITY_TYPES, ROLES } from './search.ts';

/** A person in the form. All values are text, and missing ones are empty. */
interface Draft {
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  identity_type: string;
  domain_type: string;
  role: string;
  manager: string | null;
  start_date: string;
  end_date: string;
  attributes: { name: string; value: string }[];
}

/** The attributes that lists, reviews and reports show. Each has a field of its own in the form. */
const SHOWN_ATTRIBUTES: Record<string, string> = {
  department: t`Department`,
  title: t`Title`,
  location: t`Location`,
};
const DOMAIN_TYPES = valuesOf<DomainType>({ internal: true, external: true });

export const newDraft = (): Draft => ({
  email: '',
  username: '',
  first_name: '',
  last_name: '',
  identity_type: 'human',
  domain_type: 'internal',
  role: 'member',
  manager: null,
  start_date: '',
  end_date: '',
  attributes: rowsOf({}),
});

export const draftOf = ({ groups: _, sources: __, ...person }: Person): Draft => ({
  ...person,
  start_date: person.start_date ?? '',
  end_date: person.end_date ?? '',
  attributes: rowsOf(person.attributes),
});

/** The shown attributes, even without a value, and then the others. */
function rowsOf(attributes: Person['attributes']): Draft['attributes'] {
  const names = new Set([...Object.keys(SHOWN_ATTRIBUTES), ...Object.keys(attributes)]);
  return [...names].map((name) => ({
    name,
    value: Object.hasOwn(attributes, name) ? attributeText(attributes[name]) : '',
  }));
}

/** Returns the rows to compare if somebody else has changed the person. */
export function comparedRows(draft: Draft): Row[] {
  const { attributes, manager, role, domain_type, identity_type, ...texts } = draft;
  const text = (label: string, value: string) => ({ label, value, show: value });
  const filled = attributes.filter(({ name, value }) => name.trim() !== '' && value.trim() !== '');
  const named = filled.map(({ name, value }) => `${name.trim()}: ${value}`).sort();
  return [
    text(t`Email`, texts.email),
    text(t`First name`, texts.first_name),
    text(t`Last name`, texts.last_name),
    text(t`Username`, texts.username),
    { label: t`Role`, value: role, show: roleWord(role) },
    { label: t`Manager`, value: manager, show: <PersonName id={manager} /> },
    { label: t`Identity type`, value: identity_type, show: labelOf(identity_type) },
    { label: t`Domain type`, value: domain_type, show: labelOf(domain_type) },
    text(t`Start date`, texts.start_date),
    text(t`End date`, texts.end_date),
    { label: t`Attributes`, value: named, show: named.join(', ') },
  ];
}

/** Returns the fields that differ from `before`, as the API takes them. */
export function changesOf(draft: Draft, before: Draft): Partial<NewPerson> {
  const { attributes, start_date, end_date, username, ...texts } = draft;
  const fields = {
    ...texts,
    // The email is the default username.
    username: username.trim() === '' ? draft.email : username,
    start_date: start_date || null,
    end_date: end_date || null,
  };
  const previous: Record<string, unknown> = {
    ...before,
    start_date: before.start_date || null,
    end_date: before.end_date || null,
  };
  const changed = Object.entries(fields).filter(([name, value]) => value !== previous[name]);
  const values = attributeChanges(attributes, before.attributes);
  return {
    ...Object.fromEntries(changed),
    ...(Object.keys(values).length === 0 ? {} : { attributes: values }),
  } as Partial<NewPerson>;
}

/** Returns new and changed attributes by name, and null for each removed one: the API merges them. */
function attributeChanges(now: Draft['attributes'], before: Draft['attributes']) {
  const previous = new Map(before.map(({ name, value }) => [name, value]));
  const current = new Map(
    now.flatMap(({ name, value }) =>
      name.trim() === '' || value.trim() === '' ? [] : [[name.trim(), value]],
    ),
  );
  const removed = [...previous]
    .filter(([name, value]) => value !== '' && !current.has(name))
    .map(([name]) => [name, null]);
  const changed = [...current].filter(([name, value]) => previous.get(name) !== value);
  return Object.fromEntries([...removed, ...changed]) as Record<string, string | null>;
}

/** The API addresses an attribute by its name, the form by its row. */
function fieldOf(path: string, { attributes }: Draft): string {
  const [, name] = /^attributes\.(.+)$/.exec(path) ?? [];
  const row = attributes.findIndex((one) => one.name.trim() === name);
  return row === -1 ? path : `attributes.${row}.value`;
}

/** The first rows of a draft are the shown attributes. A row whose name somebody types stays where it is. */
const isShown = (row: number) => row < Object.keys(SHOWN_ATTRIBUTES).length;

interface Props {
  initial: Draft;
  /** Where fields come from that cannot be changed here. */
  sources?: Person['sources'];
  /** The label of the button. */
  action: string;
  send: (draft: Draft, version: string | undefined) => Promise<Person>;
  /** For a person who exists. */
  edits?: Edits<Draft>;
  success: (person: Person) => string;
  after: (person: Person) => void;
}

export function PersonForm({ initial, sources = {}, action, send, edits, success, after }: Props) {
  const { role } = useMe();
  const { form, submit, pending, failure } = useApiForm<Draft, Person>({
    initialValues: initial,
    send,
    ...(edits === undefined ? {} : { edits }),
    fieldOf,
    success,
    after,
  });
  const field = (name: string) => ({
    ...form.getInputProps(name),
    ...(sources[name] === undefined ? {} : { disabled: true }),
  });
  const isManaged = Object.keys(sources).length > 0;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {isManaged && (
          <Text size="sm" c="dimmed">
            <Trans>An identity provider manages some of these fields. Change them there.</Trans>
          </Text>
        )}
        <TextInput
          label={t`Email`}
          inputMode="email"
          description={t`Gatehouse links accounts with this email to the person.`}
          {...field('email')}
          required
          maxLength={320}
          data-autofocus
        />
        <div className={classes.pair}>
          <TextInput label={t`First name`} {...field('first_name')} maxLength={255} />
          <TextInput label={t`Last name`} {...field('last_name')} maxLength={255} />
          <TextInput
            label={t`Username`}
            placeholder={form.values.email}
            {...field('username')}
            maxLength={255}
          />
          <PersonPicker label={t`Manager`} {...picker(field('manager'))} />
          <Select
            label={t`Identity type`}
            data={selectOptions(IDENTITY_TYPES)}
            {...field('identity_type')}
            allowDeselect={false}
          />
          <Select
            label={t`Domain type`}
            data={selectOptions(DOMAIN_TYPES)}
            {...field('domain_type')}
            allowDeselect={false}
          />
          <Select
            label={t`Role`}
            // Only owners may grant the owner role.
            data={selectOptions(role === 'owner' ? ROLES : ROLES.filter((one) => one !== 'owner'))}
            {...field('role')}
            allowDeselect={false}
          />
          <div />
          <TextInput label={t`Start date`} type="date" {...field('start_date')} />
          <TextInput label={t`End date`} type="date" {...field('end_date')} />
          {form.values.attributes.map(({ name }, row) =>
            isShown(row) ? (
              <TextInput
                key={name}
                label={SHOWN_ATTRIBUTES[name]}
                {...form.getInputProps(`attributes.${row}.value`)}
                disabled={sources[`attributes.${name}`] !== undefined}
              />
            ) : null,
          )}
        </div>
        <Attributes form={form} sources={sources} />
        <FormFailure of={failure} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Attributes({
  form,
  sources,
}: {
  form: UseFormReturnType<Draft>;
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
