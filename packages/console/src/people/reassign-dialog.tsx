import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { type Action, ActionDialog } from '../kit/action/action-dialog.tsx';
import { CandidatePicker, type CandidateSearch } from './candidate-picker.tsx';

interface Props extends Pick<Action, 'title' | 'message' | 'after'> {
  about: string;
  /** The label of the picker: "New approvers". */
  label: string;
  search: CandidateSearch;
  close: () => void;
  act: (to: string[], reason: string) => Promise<unknown>;
}

/** Asks for the people who take over, and for the reason. Stays open with the error if the action fails. */
export function ReassignDialog({ about, label, search, close, act, ...more }: Props) {
  const [to, setTo] = useState<string[]>([]);
  const action = {
    ...more,
    sentence: about,
    fields: <CandidatePicker label={label} search={search} value={to} set={setTo} />,
    comment: t`Reason`,
    required: true,
    button: t`Reassign`,
    disabled: to.length === 0,
    request: (reason: string) => act(to, reason),
  };
  return <ActionDialog of={action} close={close} />;
}
