import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconQuestionMark } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { api, everything, type Item, list, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/section.tsx';
import classes from './request.module.css';
import { mayProvide, type Ticket } from './ticket.ts';

type Comment = Item<'/api/tickets/{ticket_id}/comments/'>;

const KINDS: Record<Comment['kind'], string> = {
  comment: '',
  information_requested: 'requested more information',
  information_provided: 'provided information',
  reassigned: 'reassigned the request',
  withdrawn: 'canceled the request',
};

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
    { success: 'Comment sent', after: () => setText('') },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send.mutate(answers);
  };
  return (
    <Section title="Comments">
      {asked !== null && (
        <Alert icon={<IconQuestionMark aria-hidden />} color="yellow" mb="sm" title="More information needed">
          {asked.by.email} asked <Moment at={asked.at} />: “{asked.comment}”
        </Alert>
      )}
      <ul className={classes.thread} aria-label="Comments">
        {comments.data?.map(({ external_uuid, author, kind, comment, created_at }) => (
          <li key={external_uuid}>
            <Text size="sm">
              <strong>{author.email}</strong> {KINDS[kind]}{' '}
              <span className={classes.small}>
                <Moment at={created_at} />
              </span>
            </Text>
            {comment !== '' && <p className={classes.comment}>{comment}</p>}
          </li>
        ))}
      </ul>
      {role !== 'auditor' && (
        <form onSubmit={submit}>
          <Stack gap="xs">
            <Textarea
              label={answers ? 'Your answer' : 'Add a comment'}
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
                {answers ? 'Provide information' : 'Comment'}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Section>
  );
}
