import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../api/me.ts';
import type { Bulk } from '../../kit/controls/bulk-job.tsx';
import { Dialog } from '../../kit/controls/dialog.tsx';
import type { Selection } from '../../kit/table/data-table.tsx';
import { sendDecision } from './decide.ts';
import { type Cycle, type Decision, type Item, itemWords, obstacleTo } from './item.ts';
import { giveReason, MOST_A_MINUTE, MOST_AT_ONCE, needsReason } from './pace.ts';

export interface Many {
  /** Undefined: the dialog asks. */
  decision: Decision | undefined;
  selection: Selection<Item>;
}

interface Props extends Many {
  cycle: Cycle;
  close: () => void;
  begin: (job: Bulk<Item>) => void;
}

const TOGETHER = 100;

/** Whether a decision takes a dialog: it cannot be undone, or needs a reason because nobody can have read all items. */
export const isAsked = ({ cooling_off_hours }: Cycle, decision: Decision, { count }: Selection<Item>) =>
  count > MOST_AT_ONCE || needsReason() || (decision === 'revoke' && cooling_off_hours === 0);

/** Decides many items, with a comment or a reason. */
export function DecideMany({ cycle, decision, selection, close, begin }: Props) {
  const { me } = useMe();
  const [comment, setComment] = useState('');
  const isMass = selection.count > MOST_AT_ONCE;
  const [isFast] = useState(() => needsReason());
  const takesReason = isMass || isFast;
  const title = titleOf(decision, selection.count);
  const start = (chosen: Decision) => {
    const reason = comment.trim() === '' ? null : comment.trim();
    if (isFast && reason !== null) giveReason(reason);
    const send = (items: Item[]) =>
      sendDecision(
        cycle.external_uuid,
        items.map(({ id }) => id),
        chosen,
        reason,
      );
    begin({
      title: titleOf(chosen, selection.count),
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
    <Dialog onClose={close} title={decision === undefined ? title : `${title}?`}>
      <Stack gap="sm">
        <Text size="sm">
          {decision === 'keep' && t`You confirm that this access is still needed.`}
          {decision === 'revoke' && removalWords(cycle.cooling_off_hours)}{' '}
          <Trans>
            Earlier decisions on these items are replaced. Your own access and final decisions are not
            affected.
          </Trans>
        </Text>
        {isMass && (
          <Text size="sm" fw={600}>
            {plural(MOST_AT_ONCE, {
              one: 'You decide more than # item in one step. Auditors ask why nobody looked at each of them, so a reason is required.',
              other:
                'You decide more than # items in one step. Auditors ask why nobody looked at each of them, so a reason is required.',
            })}
          </Text>
        )}
        {isFast && !isMass && (
          <Text size="sm" fw={600}>
            {plural(MOST_A_MINUTE, {
              one: 'You made more than # decision within a minute. Auditors ask how that was possible, so a reason is required.',
              other:
                'You made more than # decisions within a minute. Auditors ask how that was possible, so a reason is required.',
            })}
          </Text>
        )}
        <Textarea
          label={takesReason ? t`Reason` : t`Comment`}
          description={t`The reason for your decision. It is kept as evidence with each item.`}
          required={takesReason}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          maxLength={2000}
          autosize
          minRows={2}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            <Trans>Go back</Trans>
          </Button>
          {decision !== 'revoke' && (
            <Button
              {...(decision === 'keep' ? {} : { variant: 'default' })}
              onClick={() => start('keep')}
              disabled={takesReason && comment.trim() === ''}
            >
              {titleOf('keep', selection.count)}
            </Button>
          )}
          {decision !== 'keep' && (
            <Button
              color="red"
              onClick={() => start('revoke')}
              disabled={takesReason && comment.trim() === ''}
            >
              {titleOf('revoke', selection.count)}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function titleOf(decision: Decision | undefined, count: number): string {
  if (decision === undefined) return plural(count, { one: 'Decide # item', other: 'Decide # items' });
  return decision === 'keep'
    ? plural(count, { one: 'Keep # item', other: 'Keep # items' })
    : plural(count, { one: 'Revoke # item', other: 'Revoke # items' });
}

const removalWords = (hours: number) =>
  plural(hours, {
    0: 'This access will be removed immediately.',
    one: 'This access will be removed in # hour, unless the decision is changed before then.',
    other: 'This access will be removed in # hours, unless the decision is changed before then.',
  });
