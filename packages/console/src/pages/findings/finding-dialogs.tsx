import { plural, t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Action, ActionDialog } from '../../kit/action/action-dialog.tsx';
import type { Bulk } from '../../kit/controls/bulk-job.tsx';
import { offerUndo } from '../../kit/controls/undo.tsx';
import type { Selection } from '../../kit/table/data-table.tsx';
import { localInput } from '../../kit/text/words.ts';
import { PersonPicker } from '../../people/person.tsx';
import { type Finding, findingName, sentenceOf } from './finding.ts';
import { accept, assign, assigneeOf, reopen } from './finding-changes.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => localInput(new Date(Date.now() + days * DAY_MS).toISOString());

/** The findings that a dialog is about: one of a row, or those that are selected. */
export type Chosen = Finding | Selection<Finding>;

const isOne = (of: Chosen): of is Finding => 'external_uuid' in of;

interface Props {
  of: Chosen;
  close: () => void;
  /** Starts a job for selected findings. */
  begin: (job: Bulk<Finding>) => void;
}

/** Accepts findings until a time, for a reason. */
export function AcceptDialog({ of, ...props }: Props) {
  const [until, setUntil] = useState(() => inDays(30));
  const many = isOne(of) ? 0 : of.count;
  return (
    <ChangeDialog
      {...props}
      of={of}
      title={t`Accept this finding?`}
      ofSeveral={plural(many, { one: 'Accept # finding?', other: 'Accept # findings?' })}
      job={plural(many, { one: 'Accept # finding', other: 'Accept # findings' })}
      fields={
        <TextInput
          type="datetime-local"
          label={t`Until`}
          description={isOne(of) ? t`The finding is open again then.` : t`The findings are open again then.`}
          value={until}
          onChange={({ currentTarget }) => setUntil(currentTarget.value)}
          min={inDays(0)}
          max={inDays(365)}
          required
        />
      }
      comment={t`Reason`}
      required
      button={isOne(of) ? t`Accept finding` : t`Accept findings`}
      disabled={until === ''}
      change={(finding, reason) => accept(finding, new Date(until).toISOString(), reason)}
      done={t`Finding accepted`}
      undo={reopen}
    />
  );
}

/** Assigns findings to a person, or to nobody. */
export function AssignDialog({ of, ...props }: Props) {
  const [user, choose] = useState(() => (isOne(of) ? assigneeOf(of) : null));
  const many = isOne(of) ? 0 : of.count;
  return (
    <ChangeDialog
      {...props}
      of={of}
      title={t`Assign this finding?`}
      ofSeveral={plural(many, { one: 'Assign # finding?', other: 'Assign # findings?' })}
      job={plural(many, { one: 'Assign # finding', other: 'Assign # findings' })}
      fields={
        <PersonPicker
          label={t`Assignee`}
          description={
            isOne(of)
              ? t`The person sees the finding from then on.`
              : t`The person sees the findings from then on.`
          }
          value={user}
          set={choose}
        />
      }
      button={isOne(of) ? t`Assign finding` : t`Assign findings`}
      change={(finding) => assign(finding, user)}
      done={t`Finding assigned`}
      undo={(finding) => assign(finding, assigneeOf(finding))}
    />
  );
}

interface ChangeProps extends Props, Omit<Action, 'request' | 'message' | 'after' | 'sentence'> {
  fields: ReactNode;
  /** The title for several findings, and that of their job. */
  ofSeveral: string;
  job: string;
  change: (finding: Finding, reason: string) => Promise<unknown>;
  done: string;
  undo: (finding: Finding) => Promise<unknown>;
}

/** A change of one finding, which can be undone, or of all that are selected. */
function ChangeDialog({ of, close, begin, ofSeveral, job, change, done, undo, ...asked }: ChangeProps) {
  const client = useQueryClient();
  const action: Action = isOne(of)
    ? {
        ...asked,
        sentence: sentenceOf(of),
        request: (reason) => change(of, reason),
        after: () => {
          offerUndo({ message: done, undo: () => undo(of).then(() => client.invalidateQueries()) });
        },
      }
    : {
        ...asked,
        title: ofSeveral,
        request: async (reason) => {
          const rows = (await of.rows()).filter(({ status }) => status !== 'resolved');
          of.clear();
          begin({
            title: job,
            rows: async () => rows,
            act: (finding) => change(finding, reason),
            name: findingName,
          });
        },
      };
  return <ActionDialog of={action} close={close} />;
}
