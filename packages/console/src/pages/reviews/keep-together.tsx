import { plural, t } from '@lingui/core/macro';
import { Button, Radio, Stack, Text, Textarea } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import { type SubmitEvent, useState } from 'react';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { useDecide } from './decide.ts';
import { type Cycle, type Item, obstacleTo } from './item.ts';
import type { Contexts } from './item-context.ts';

/** Returns the undecided items that this person can keep in one step: the server knows nothing that speaks against them. */
export const withoutDeviations = (
  cycle: Cycle,
  items: readonly Item[],
  contexts: Contexts,
  me: string,
): Item[] =>
  items.filter(
    (item) =>
      item.decision === null &&
      contexts.get(item.id)?.deviations.length === 0 &&
      obstacleTo(cycle, item, me) === undefined,
  );

/** The key that opens the dialog. */
export const TOGETHER_KEY = 'a';

export function KeepTogetherButton({ count, open }: { count: number; open: () => void }) {
  if (count === 0) return null;
  return (
    <Button variant="light" aria-keyshortcuts={TOGETHER_KEY} onClick={open}>
      {plural(count, {
        one: 'Keep the # without deviations',
        other: 'Keep the # without deviations',
      })}
    </Button>
  );
}

const REASONS = {
  work: t`The access fits the work of these people.`,
  asked: t`The people or their team have confirmed that they need it.`,
  other: '',
};
type Reason = keyof typeof REASONS;

interface Props {
  cycle: Cycle;
  items: Item[];
  close: () => void;
  after: () => void;
}

/** Keeps all items without deviations, with one reason for all. */
export function KeepTogether({ cycle, items, close, after }: Props) {
  const [reason, setReason] = useState<Reason | null>(null);
  const [own, setOwn] = useState('');
  const decide = useDecide(cycle);
  const count = items.length;
  const comment = reason === null ? '' : REASONS[reason] || own.trim();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (comment === '') return;
    decide.mutate(
      { items, decision: 'keep', comment, together: true },
      {
        onSuccess: () => {
          close();
          after();
        },
      },
    );
  };
  return (
    <Dialog
      onClose={close}
      title={plural(count, {
        one: 'Keep # item without deviations?',
        other: 'Keep # items without deviations?',
      })}
      // The next undecided item gets the focus instead.
      returnFocus={!decide.isSuccess}
    >
      <DialogForm
        submit={submit}
        close={close}
        action={plural(count, { one: 'Keep # item', other: 'Keep # items' })}
        pending={decide.isPending}
        disabled={comment === ''}
        failure={decide.error}
      >
        <Text size="sm">
          {t`These are the undecided items on this page that you can decide: in use as far as the app says, by people who are still here, not revoked before, and without high risk. If any of them has gained a deviation or a decision since, nothing is kept.`}
        </Text>
        <Radio.Group
          label={t`Reason`}
          description={t`It is kept as evidence with each item.`}
          required
          value={reason}
          onChange={(value) => setReason(value as Reason)}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="work" label={REASONS.work} data-autofocus />
            <Radio value="asked" label={REASONS.asked} />
            <Radio value="other" label={t`Another reason`} />
          </Stack>
        </Radio.Group>
        {reason === 'other' && (
          <Textarea
            label={t`Your reason`}
            required
            value={own}
            onChange={({ currentTarget }) => setOwn(currentTarget.value)}
            maxLength={2000}
            autosize
            minRows={2}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
