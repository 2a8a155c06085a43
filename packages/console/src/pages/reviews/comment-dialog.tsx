import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { detailOf } from '../../api/error.ts';
import { useBackCloses } from '../../kit/browser/dialog-history.ts';
import { useDecide } from './decide.ts';
import { Facts } from './facts.tsx';
import { type Cycle, type Decision, type Item, itemWords } from './item.ts';

/** Decides one item with a comment. */
export function CommentDialog({ cycle, item, close }: { cycle: Cycle; item: Item; close: () => void }) {
  const [comment, setComment] = useState(item.comment ?? '');
  const decide = useDecide(cycle);
  useBackCloses(true, close);
  const send = (decision: Decision) =>
    decide.mutate(
      { items: [item], decision, comment: comment.trim() === '' ? null : comment.trim() },
      { onSuccess: close },
    );
  return (
    <Modal opened onClose={close} title={itemWords(item)}>
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
        {decide.isError && (
          <Alert color="red" role="alert">
            {detailOf(decide.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" loading={decide.isPending} onClick={() => send('keep')}>
            <Trans>Keep</Trans>
          </Button>
          <Button color="red" loading={decide.isPending} onClick={() => send('revoke')}>
            <Trans>Revoke</Trans>
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
