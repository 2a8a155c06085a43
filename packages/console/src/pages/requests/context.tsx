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

/** The requested access next to the person's existing access in the app, and the person's profile. */
export function Context({ ticket }: { ticket: Ticket }) {
  const { me, readsAll } = useMe();
  // A requester may not see the existing access of another person.
  const mayRead =
    readsAll ||
    ![ticket.requester, ticket.created_by].some((one) => one.external_uuid === me?.external_uuid) ||
    ticket.user.external_uuid === me?.external_uuid;
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
        <Section title="Person">
          <Profile user={context.user} />
        </Section>
      )}
    </>
  );
}

function Access({ ticket, context }: { ticket: Ticket; context: TicketContext | undefined }) {
  const account = context?.account ?? undefined;
  const requested = chosenOf(ticket);
  const held = account === undefined ? [] : chosenOf(account);
  const heldKeys = new Set(held.map(keyOf));
  const requestedKeys = new Set(requested.map(keyOf));
  const teammates = new Map(context?.asked.map((one) => [keyOf(one), one.teammates]));
  const teamSize = context?.user.teammates ?? 0;
  return (
    <>
      <ul className={classes.access} aria-label="Requested and existing access">
        {context !== undefined && (
          <li>
            <Mark isNew={account === undefined || account.status === 'NEW'}>An account</Mark>
            {account !== undefined && <Status of={account.status} />}
          </li>
        )}
        {requested.map((one) => (
          <li key={keyOf(one)}>
            <Mark requested isNew={!heldKeys.has(keyOf(one))}>
              <Name of={one} />
            </Mark>
            {teamSize > 0 && (
              <span className={classes.small}>
                {grouped(teammates.get(keyOf(one)) ?? 0)} of {grouped(teamSize)} people with the same manager
                have it
              </span>
            )}
          </li>
        ))}
        {held
          .filter((one) => !requestedKeys.has(keyOf(one)))
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
          Last seen in {ticket.app.name}: <Moment at={account.last_seen_at} />
        </Text>
      )}
    </>
  );
}

interface MarkProps {
  isNew?: boolean;
  requested?: boolean;
  children: ReactNode;
}

/** An entitlement that the request would add or that already exists. */
function Mark({ isNew = false, requested = false, children }: MarkProps) {
  const Icon = isNew ? IconPlus : IconCheck;
  const label = isNew ? 'requested' : requested ? 'requested, already granted' : 'already granted';
  return (
    <span className={classes.mark} data-new={isNew || undefined}>
      <Icon size={15} aria-hidden />
      <span>
        {children} <span className={classes.small}>{label}</span>
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
        ['Manager', user.manager === null ? 'None' : <Person key="manager" of={user.manager} />],
        ['Status', <Status key="status" of={user.status} />],
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
