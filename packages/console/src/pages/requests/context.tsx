import { Skeleton, Text } from '@mantine/core';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Answer, get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Properties } from '../../parts/properties.tsx';
import { type Chosen, chosenOf, keyOf } from '../../parts/resource-picker.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { grouped, personName } from '../../parts/words.ts';
import classes from './request.module.css';
import type { Ticket } from './ticket.ts';

type TicketContext = Answer<'/api/tickets/{ticket_id}/context/'>;

/** What is asked for beside what the person has in the app already, and who the person is. */
export function Context({ ticket }: { ticket: Ticket }) {
  const { me, readsAll } = useMe();
  // Who asked for somebody else does not see what that person has.
  const mayRead =
    readsAll ||
    ticket.requester.external_uuid !== me?.external_uuid ||
    ticket.user.external_uuid === me.external_uuid;
  const { data: context, isPending } = useQuery({
    ...get('/api/tickets/{ticket_id}/context/', { path: { ticket_id: ticket.external_uuid } }),
    enabled: mayRead,
  });
  return (
    <>
      <Section title={`Access to ${ticket.app.name}`}>
        {mayRead && isPending ? <Skeleton height={60} /> : <Access ticket={ticket} context={context} />}
      </Section>
      {context !== undefined && (
        <Section title="The person">
          <Profile user={context.user} />
        </Section>
      )}
    </>
  );
}

function Access({ ticket, context }: { ticket: Ticket; context: TicketContext | undefined }) {
  const account = context?.account ?? undefined;
  const asked = chosenOf(ticket);
  const held = account === undefined ? [] : chosenOf(account);
  const has = new Set(held.map(keyOf));
  const wanted = new Set(asked.map(keyOf));
  const spread = new Map(context?.asked.map((one) => [keyOf(one), one.teammates]));
  const team = context?.user.teammates ?? 0;
  return (
    <>
      <ul className={classes.access} aria-label="Asked for, and there already">
        {context !== undefined && (
          <li>
            <Mark news={account === undefined || account.status === 'NEW'}>An account</Mark>
            {account !== undefined && <Status of={account.status} />}
          </li>
        )}
        {asked.map((one) => (
          <li key={keyOf(one)}>
            <Mark asked news={!has.has(keyOf(one))}>
              <Name of={one} />
            </Mark>
            {team > 0 && (
              <span className={classes.small}>
                {grouped(spread.get(keyOf(one)) ?? 0)} of {grouped(team)} with the same manager have it
              </span>
            )}
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
      {account !== undefined && (
        <Text size="sm" c="dimmed" mt={4}>
          Seen in {ticket.app.name}: <Moment at={account.last_seen_at} none="not yet by a sync" />
        </Text>
      )}
    </>
  );
}

interface MarkProps {
  news?: boolean;
  asked?: boolean;
  children: ReactNode;
}

/** Something that the request would bring, or that is there. */
function Mark({ news = false, asked = false, children }: MarkProps) {
  const Icon = news ? IconPlus : IconCheck;
  const words = news ? 'asked for' : asked ? 'asked for, and there already' : 'is there';
  return (
    <span className={classes.mark} data-news={news || undefined}>
      <Icon size={15} aria-hidden />
      <span>
        {children} <span className={classes.small}>{words}</span>
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

function Profile({ user }: { user: TicketContext['user'] }) {
  return (
    <Properties
      of={[
        ['Name', <Person key="name" of={user} />],
        ['Title', user.title ?? undefined],
        ['Department', user.department ?? undefined],
        ['Manager', user.manager === null ? 'none' : <Person key="manager" of={user.manager} />],
        ['State', <Status key="state" of={user.status} />],
      ]}
    />
  );
}

type Named = NonNullable<TicketContext['user']['manager']>;

function Person({ of: person }: { of: Named }) {
  const { readsAll } = useMe();
  if (!readsAll) return personName(person);
  return (
    <TextLink to="/people/$userId" params={{ userId: person.external_uuid }}>
      {personName(person)}
    </TextLink>
  );
}
