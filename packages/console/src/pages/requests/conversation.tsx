import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { api, everything, type Item, list, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Moment } from '../../kit/controls/moment.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { IconQuestionMark } from '../../kit/icons/icons.ts';
import { Person } from './people.tsx';
import classes from './request.module.css';
import { mayProvide, type Ticket } from './ticket.ts';

type Comment = Item<'/api/tickets/{ticket_id}/comments/'>;

function Heading({ of: { author, kind } }: { of: Comment }) {
  const who = (
    <strong>
      <Person of={author} />
    </strong>
  );
  switch (kind) {
    case 'information_requested':
      return <Trans>{who} requested more information</Trans>;
    case 'information_provided':
      return <Trans>{who} provided information</Trans>;
    case 'reassigned':
      return <Trans>{who} reassigned the request</Trans>;
    case 'withdrawn':
      return <Trans>{who} withdrew the request</Trans>;
    default:
      return who;
  }
}

function Question({ of: asked }: { of: NonNullable<Ticket['information_requested']> }) {
  const { comment } = asked;
  const who = <Person of={asked.by} />;
  return (
    <Trans>
      {who} asked <Moment at={asked.at} />: “{comment}”
    </Trans>
  );
}

/** The comments on a request, with the questions of approvers and their answers. */
export function Conversation({ ticket }: { ticket: Ticket }) {
  const { me, role } = useMe();
  const [text, setText] = useState('');
  const path = { ticket_id: ticket.external_uuid };
  const source = list('/api/tickets/{ticket_id}/comments/', { path });
  const comments = useQuery({
    queryKey: source.key,
    queryFn: ({ signal }) => Array.fromAsync(everything(source, signal)),
    refetchInterval: 15_000,
  });
  const asked = ticket.information_requested;
  const answers = asked !== null && me !== undefined && mayProvide(ticket, me);
  const body = { comment: text.trim() };
  const send = useChange(
    (answer: boolean) =>
      answer
        ? ok<unknown>(api.POST('/api/tickets/{ticket_id}/provide-information/', { params: { path }, body }))
        : ok<unknown>(api.POST('/api/tickets/{ticket_id}/comments/', { params: { path }, body })),
    { success: t`Comment sent`, after: () => setText('') },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send.mutate(answers);
  };
  return (
    <Section title={t`Comments`}>
      {asked !== null && (
        <Alert
          icon={<IconQuestionMark aria-hidden />}
          color="yellow"
          mb="sm"
          title={t`More information needed`}
        >
          <Question of={asked} />
        </Alert>
      )}
      <ul className={classes.thread} aria-label={t`Comments`}>
        {comments.data?.map((comment) => (
          <li key={comment.external_uuid}>
            <Text size="sm">
              <Heading of={comment} />{' '}
              <span className={classes.small}>
                <Moment at={comment.created_at} />
              </span>
            </Text>
            {comment.comment !== '' && <p className={classes.comment}>{comment.comment}</p>}
          </li>
        ))}
      </ul>
      {role !== 'auditor' && (
        <form onSubmit={submit}>
          <Stack gap="xs">
            <Textarea
              label={answers ? t`Your answer` : t`Add a comment`}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              maxLength={2000}
              autosize
              minRows={2}
            />
            <Group>
              <Button
                type="submit"
                variant={answers ? 'filled' : 'default'}
                loading={send.isPending}
                disabled={text.trim() === ''}
              >
                {answers ? t`Provide information` : t`Comment`}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Section>
  );
}
