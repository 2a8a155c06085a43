import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../api/me.ts';
import type { Bulk } from '../../parts/bulk-job.tsx';
import type { Selection } from '../../parts/data-table.tsx';
import { counted } from '../../parts/words.ts';
import { sendDecision } from './decide.ts';
import { barrier, type Cycle, type Decision, type Item, itemWords } from './item.ts';

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

/** Asks once before many items are decided alike. */
export function DecideMany({ cycle, decision, selection, close, begin }: Props) {
  const { me } = useMe();
  const [comment, setComment] = useState('');
  const title = `${decision === 'keep' ? 'Keep' : 'Revoke'} ${counted(selection.count, 'item')}`;
  const start = () => {
    const said = comment.trim() === '' ? null : comment.trim();
    const send = (items: Item[]) =>
      sendDecision(
        cycle.external_uuid,
        items.map(({ id }) => id),
        decision,
        said,
      );
    begin({
      title,
      rows: async () => {
        const rows = await selection.rows();
        selection.clear();
        return rows.filter((item) => barrier(cycle, item, me?.external_uuid ?? '') === undefined);
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
            ? 'You say that all of it is still needed.'
            : `All of it is taken away, ${delay(cycle.cooling_off_hours)}.`}{' '}
          What was decided before is changed. Your own access, and what cannot be changed any more, is left
          out.
        </Text>
        <Textarea
          label="Comment"
          description="Why; it stays with each of the decisions as evidence."
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          maxLength={2000}
          autosize
          minRows={2}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Not yet
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
  hours === 0 ? 'at once' : `${counted(hours, 'hour')} from now, unless the decision is changed before that`;
