import { Skeleton, Text } from '@mantine/core';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Moment } from '../../parts/moment.tsx';
import { PersonName } from '../../parts/person.tsx';
import { Properties } from '../../parts/properties.tsx';
import { type Chosen, chosenOf, keyOf } from '../../parts/resource-picker.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { useAccount } from './account.ts';
import classes from './request.module.css';
import type { Ticket } from './ticket.ts';

/** What is asked for beside what the person has in the app already, and who the person is. */
export function Context({ ticket }: { ticket: Ticket }) {
  const { me, readsAll } = useMe();
  const mayRead = readsAll || ticket.user.external_uuid === me?.external_uuid;
  const { account, isPending } = useAccount(
    mayRead ? ticket.app.external_uuid : null,
    ticket.user.external_uuid,
  );
  const asked = chosenOf(ticket);
  const held = account === undefined ? [] : chosenOf(account);
  const has = new Set(held.map(keyOf));
  const wanted = new Set(asked.map(keyOf));
  return (
    <>
      <Section title={`Access to ${ticket.app.name}`}>
        {mayRead && isPending ? (
          <Skeleton height={60} />
        ) : (
          <ul className={classes.access} aria-label="Asked for, and there already">
            {mayRead && (
              <li>
                {account === undefined ? <Mark news>An account</Mark> : <Mark>An account</Mark>}
                {account !== undefined && <Status of={account.status} />}
              </li>
            )}
            {asked.map((one) => (
              <li key={keyOf(one)}>
                <Mark news={!has.has(keyOf(one))}>
                  <Name of={one} />
                </Mark>
              </li>
            ))}
            {held
              .filter((one) => !wanted.has(keyOf(one)))
              .map((one) => (
                <li key={keyOf(one)}>
                  <Mark>
                    <Name of={one} />
                  </Mark>
                </li>
              ))}
          </ul>
        )}
        {account !== undefined && (
          <Text size="sm" c="dimmed" mt={4}>
            Seen in {ticket.app.name}: <Moment at={account.last_seen_at} none="not yet by a sync" />
          </Text>
        )}
      </Section>
      {readsAll && (
        <Section title="The person">
          <Profile userId={ticket.user.external_uuid} />
        </Section>
      )}
    </>
  );
}

/** Something that the request would bring, or that is there. */
function Mark({ news = false, children }: { news?: boolean; children: React.ReactNode }) {
  const Icon = news ? IconPlus : IconCheck;
  return (
    <span className={classes.mark} data-news={news || undefined}>
      <Icon size={15} aria-hidden />
      <span>
        {children} <span className={classes.small}>{news ? 'asked for' : 'has it'}</span>
      </span>
    </span>
  );
}

function Name({ of: { name, id, type, slug } }: { of: Chosen }) {
  return (
    <>
      <strong>{name || id}</strong>{' '}
      <span className={classes.small}>{slug === type ? type : `${type} (${slug})`}</span>
    </>
  );
}

function Profile({ userId }: { userId: string }) {
  const { data: person } = useQuery(get('/api/users/{user_id}/', { path: { user_id: userId } }));
  if (person === undefined) return <Skeleton height={60} />;
  const { department, title } = person.attributes as Record<string, unknown>;
  return (
    <Properties
      of={[
        ['Name', <PersonName key="name" id={userId} />],
        ['Title', typeof title === 'string' ? title : undefined],
        ['Department', typeof department === 'string' ? department : undefined],
        ['Manager', <PersonName key="manager" id={person.manager} none="none" />],
        ['State', <Status key="state" of={person.status} />],
        ['Until', person.end_date ?? undefined],
      ]}
    />
  );
}
