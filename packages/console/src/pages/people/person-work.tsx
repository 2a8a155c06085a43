import { t } from '@lingui/core/macro';
import { Section } from '../../kit/controls/section.tsx';
import type { Person } from './person.ts';
import { PersonRequests } from './person-requests.tsx';
import { PersonTasks } from './person-tasks.tsx';

/** The requests for a person's access, and the tasks for their accounts. */
export function PersonWork({ person }: { person: Person }) {
  return (
    <>
      <Section title={t`Requests`}>
        <PersonRequests person={person} />
      </Section>
      <Section title={t`Tasks`}>
        <PersonTasks person={person} />
      </Section>
    </>
  );
}
