import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { useDecide } from './decide.ts';
import { Facts } from './facts.tsx';
import { type Cycle, type Decision, giverName, type Item, itemName, itemWords } from './item.ts';
import classes from './reviews.module.css';

/** Decides one item with a comment. */
export function CommentDialog({ cycle, item, close }: { cycle: Cycle; item: Item; close: () => void }) {
  const [comment, setComment] = useState(item.comment ?? '');
  const decide = useDecide(cycle);
  const { via, source } = item.context;
  const removed = source === null ? null : giverName(source);
  const send = (decision: Decision) =>
    decide.mutate(
      {
        items: [item],
        decision,
        comment: comment.trim() === '' ? null : comment.trim(),
        atGiver: decision === 'revoke' && source !== null,
      },
      { onSuccess: close },
    );
  return (
    <Dialog onClose={close} title={itemWords(item)}>
      <Stack gap="sm">
        <Text component="div" size="sm">
          <Facts cycle={cycle} item={item} />
        </Text>
        <Textarea
          label={t`Comment`}
          description={t`The reason for your decision. It is kept as evidence.`}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          maxLength={2000}
          autosize
          minRows={3}
          data-autofocus
        />
        {via !== null && <Derived item={item} />}
        <FormFailure of={decide.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" loading={decide.isPending} onClick={() => send('keep')}>
            <Trans>Keep</Trans>
          </Button>
          <Button
            color="red"
            {...(removed === null ? {} : { className: classes.naming ?? '' })}
            loading={decide.isPending}
            onClick={() => send('revoke')}
          >
            {removed === null ? t`Revoke` : t`Revoke ${removed}`}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Warns that revoking access removes its giver. */
function Derived({ item }: { item: Item }) {
  const { via, source } = item.context;
  if (via === null) return null;
  const name = itemName(item);
  const giver = giverName(via);
  if (source === null)
    return (
      <Alert color="yellow">
        <Trans>
          The account has {name} through {giver}. It can only be removed in the app.
        </Trans>
      </Alert>
    );
  const removed = giverName(source);
  return (
    <Alert color="yellow">
      <Trans>
        The account has {name} through {giver}. Revoking it removes {removed} from the account, with
        everything that comes through it.
      </Trans>
    </Alert>
  );
}
