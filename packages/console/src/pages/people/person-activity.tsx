import { t } from '@lingui/core/macro';
import { useMe } from '../../api/me.ts';
import { History } from '../../events/event-history.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Section } from '../../kit/controls/section.tsx';
import { View, Views } from '../../kit/controls/views.tsx';
import type { Person } from './person.ts';
import { PersonChanges } from './person-changes.tsx';
import { ACTIVITIES, personSearch } from './search.ts';

const WORDS = {
  access: t`Access`,
  decisions: t`Decisions`,
  profile: t`Profile`,
  sign_in: t`Sign-ins`,
} satisfies Record<(typeof ACTIVITIES)[number], string>;

/** The events about a person and their accounts, and of their own actions. Members see the changes of their profile only. */
export function PersonActivity({ person }: { person: Person }) {
  const [at, go] = useAddress(personSearch);
  const { readsAll } = useMe();
  if (!readsAll) return <PersonChanges person={person} />;
  return (
    <>
      <Views label={t`Kind of activity`}>
        <View pressed={at.kind === undefined} onClick={() => go({ kind: undefined })}>
          {t`All activity`}
        </View>
        {ACTIVITIES.map((kind) => (
          <View key={kind} pressed={at.kind === kind} onClick={() => go({ kind })}>
            {WORDS[kind]}
          </View>
        ))}
      </Views>
      <History
        of={{ activity_of: person.external_uuid, kind: at.kind }}
        label={t`Activity`}
        none={t`No activity of this kind yet.`}
      />
      {at.kind === 'profile' && (
        <Section title={t`Earlier profiles`}>
          <PersonChanges person={person} />
        </Section>
      )}
    </>
  );
}
