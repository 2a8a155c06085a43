import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { detailOf } from '../../api/error.ts';
import { useMe } from '../../api/me.ts';
import { PersonPicker } from '../../parts/person.tsx';
import classes from './people.module.css';
import { attributeText, type NewPerson, optionsOf, type Person } from './person.ts';
import { IDENTITY_TYPES, ROLES } from './search.ts';

/** A person as a form holds them: everything is text, and empty where it is not given. */
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

const USUAL_ATTRIBUTES = ['department', 'title', 'location'];
const DOMAIN_TYPES = ['internal', 'external'];

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
  attributes: USUAL_ATTRIBUTES.map((name) => ({ name, value: '' })),
});

export const draftOf = (person: Person): Draft => ({
  ...person,
  start_date: person.start_date ?? '',
  end_date: person.end_date ?? '',
  attributes: Object.entries(person.attributes).map(([name, value]) => ({
    name,
    value: attributeText(value),
  })),
});

/** What was typed, as the API takes it; of `before` only what is different now. */
export function changesOf(draft: Draft, before: Draft): Partial<NewPerson> {
  const { attributes, start_date, end_date, username, ...texts } = draft;
  const given = {
    ...texts,
    // Without one it is the email.
    username: username.trim() === '' ? draft.email : username,
    start_date: start_date || null,
    end_date: end_date || null,
  };
  const was: Record<string, unknown> = {
    ...before,
    start_date: before.start_date || null,
    end_date: before.end_date || null,
  };
  const fields = Object.entries(given).filter(([name, value]) => value !== was[name]);
  const values = attributeChanges(attributes, before.attributes);
  return {
    ...Object.fromEntries(fields),
    ...(Object.keys(values).length === 0 ? {} : { attributes: values }),
  } as Partial<NewPerson>;
}

/** Merged by name; null takes one away (governance.md "People"). */
function attributeChanges(now: Draft['attributes'], before: Draft['attributes']) {
  const was = new Map(before.map(({ name, value }) => [name, value]));
  const is = new Map(
    now.flatMap(({ name, value }) =>
      name.trim() === '' || value.trim() === '' ? [] : [[name.trim(), value]],
    ),
  );
  const gone = [...was]
    .filter(([name, value]) => value !== '' && !is.has(name))
    .map(([name]) => [name, null]);
  const set = [...is].filter(([name, value]) => was.get(name) !== value);
  return Object.fromEntries([...gone, ...set]) as Record<string, string | null>;
}

interface Props {
  start: Draft;
  action: string;
  save: { mutate: (draft: Draft) => void; isPending: boolean; isError: boolean; error: unknown };
}

/** Everything about a person that is written down by hand. */
export function PersonForm({ start, action, save }: Props) {
  const { role } = useMe();
  const [draft, setDraft] = useState(start);
  const set = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(draft);
  };
  const text = (name: 'username' | 'first_name' | 'last_name', label: string, more: object = {}) => (
    <TextInput
      label={label}
      value={draft[name]}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
      maxLength={255}
      {...more}
    />
  );
  const choice = (
    name: 'identity_type' | 'domain_type' | 'role',
    label: string,
    values: readonly string[],
    description?: ReactNode,
  ) => (
    <Select
      label={label}
      description={description}
      data={optionsOf(values)}
      value={draft[name]}
      onChange={(value) => value !== null && set({ [name]: value })}
      allowDeselect={false}
    />
  );
  const day = (name: 'start_date' | 'end_date', label: string) => (
    <TextInput
      label={label}
      type="date"
      value={draft[name]}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
    />
  );
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Email"
          type="email"
          description="Their accounts are found by it."
          value={draft.email}
          onChange={({ currentTarget }) => set({ email: currentTarget.value })}
          required
          maxLength={320}
          data-autofocus
        />
        <div className={classes.pair}>
          {text('first_name', 'First name')}
          {text('last_name', 'Last name')}
          {text('username', 'User name', { placeholder: draft.email })}
          <PersonPicker label="Manager" value={draft.manager} set={(manager) => set({ manager })} />
          {choice('identity_type', 'Kind', IDENTITY_TYPES)}
          {choice('domain_type', 'Internal or external', DOMAIN_TYPES)}
          {choice(
            'role',
            'Role',
            // Only owners make owners.
            role === 'owner' ? ROLES : ROLES.filter((one) => one !== 'owner'),
          )}
          <div />
          {day('start_date', 'First day')}
          {day('end_date', 'Last day')}
        </div>
        <Attributes value={draft.attributes} set={(attributes) => set({ attributes })} />
        {save.isError && (
          <Alert color="red" role="alert">
            {detailOf(save.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Attribute = Draft['attributes'][number];

function Attributes({ value, set }: { value: Attribute[]; set: (value: Attribute[]) => void }) {
  const change = (at: number, part: Partial<Attribute>) =>
    set(value.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <fieldset className={classes.attributes}>
      <legend>Attributes</legend>
      <Stack gap={6}>
        {value.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is where it is; its name may change.
          <Group key={at} gap="xs" wrap="nowrap">
            <TextInput
              aria-label={`Name of attribute ${at + 1}`}
              placeholder="name"
              value={one.name}
              onChange={({ currentTarget }) => change(at, { name: currentTarget.value })}
              w="40%"
            />
            <TextInput
              aria-label={one.name === '' ? `Value of attribute ${at + 1}` : one.name}
              placeholder="none"
              value={one.value}
              onChange={({ currentTarget }) => change(at, { value: currentTarget.value })}
              flex={1}
            />
          </Group>
        ))}
        <Group>
          <Button
            variant="subtle"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => set([...value, { name: '', value: '' }])}
          >
            Another attribute
          </Button>
        </Group>
      </Stack>
    </fieldset>
  );
}
