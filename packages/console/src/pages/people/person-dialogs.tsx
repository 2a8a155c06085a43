import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, ok, useChange } from '../../api/client.ts';
import { personName } from '../../parts/words.ts';
import type { NewPerson, Person } from './person.ts';
import { changesOf, draftOf, newDraft, PersonForm } from './person-form.tsx';

interface Props {
  opened: boolean;
  close: () => void;
}

/** Adds a person and opens them. */
export function NewPersonDialog({ opened, close }: Props) {
  const navigate = useNavigate();
  const create = useChange((body: NewPerson) => ok(api.POST('/api/users/', { body })), {
    tell: false,
    said: (person) => `${personName(person)} is added.`,
    after: ({ external_uuid }) => void navigate({ to: '/people/$userId', params: { userId: external_uuid } }),
  });
  return (
    <Modal opened={opened} onClose={close} title="New person" size="lg">
      <PersonForm
        start={newDraft()}
        action="Add person"
        save={{
          ...create,
          mutate: (draft) => create.mutate({ email: draft.email, ...changesOf(draft, newDraft()) }),
        }}
      />
    </Modal>
  );
}

/** Changes what is written down about a person, their role too. */
export function EditPersonDialog({ opened, close, person }: Props & { person: Person }) {
  const change = useChange(
    (body: Partial<NewPerson>) =>
      ok(api.PATCH('/api/users/{user_id}/', { params: { path: { user_id: person.external_uuid } }, body })),
    { tell: false, said: 'Saved.', after: close },
  );
  const before = draftOf(person);
  return (
    <Modal opened={opened} onClose={close} title={`Edit ${personName(person)}`} size="lg">
      <PersonForm
        start={before}
        action="Save"
        save={{ ...change, mutate: (draft) => change.mutate(changesOf(draft, before)) }}
      />
    </Modal>
  );
}
