import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../api/me.ts';
import type { Bulk } from '../../parts/bulk-job.tsx';
import type { Selection } from '../../parts/data-table.tsx';
import { useBackCloses } from '../../parts/dialog-history.ts';
import { counted } from '../../parts/words.ts';
import { sendDecision } from './decide.ts';
import { type Cycle, type Decision, type Item, itemWords, obstacleTo } from './item.ts';

export interface Many {
  decision: Decision;
  selection: Selection<Item>;
}

interface Props extends Many {
  cycle: Cycle;
  close: () => void;
  begin: (job: Bulk<Item>) => void;
}

const TOGETHER = 100;

/** Confirms one decision for many items. */
export function DecideMany({ cycle, decision, selection, close, begin }: Props) {
  const { me } = useMe();
  const [comment, setComment] = useState('');
  useBackCloses(true, close);
  const title = `${decision === 'keep' ? 'Keep' : 'Revoke'} ${counted(selection.count, 'item')}`;
  const start = () => {
    const reason = comment.trim() === '' ? null : comment.trim();
    const send = (items: Item[]) =>
      sendDecision(
        cycle.external_uuid,
        items.map(({ id }) => id),
        decision,
        reason,
      );
    begin({
      title,
      rows: async () => {
        const rows = await selection.rows();
        selection.clear();
        return rows.filter((item) => obstacleTo(cycle, item, me?.external_uuid ?? '') === undefined);
      },
      act: (item) => send([item]),
      together: { size: TOGETHER, act: send },
      name: itemWords,
    });
    close();
  };
  return (
    <Modal opened onClose={close} title={`${title}?`}>
      <Stack gap="sm">
        <Text size="sm">
          {decision === 'keep'
            ? 'You confirm that this access is still needed.'
            : `This access will be removed ${delay(cycle.cooling_off_hours)}.`}{' '}
          Earlier decisions on these items are replaced. Your own access and final decisions are not affected.
        </Text>
        <Textarea
          label="Comment"
          description="The reason for your decision. It is kept as evidence with each item."
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          maxLength={2000}
          autosize
          minRows={2}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Go back
          </Button>
          <Button {...(decision === 'keep' ? {} : { color: 'red' })} onClick={start}>
            {title}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const delay = (hours: number) =>
  hours === 0 ? 'immediately' : `in ${counted(hours, 'hour')}, unless the decision is changed before then`;
