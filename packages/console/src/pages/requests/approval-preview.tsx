import { t } from '@lingui/core/macro';
import { listed } from '../../kit/text/listed.ts';
import { personName } from '../../kit/text/words.ts';
import classes from './catalog.module.css';
import { ExcludedApprovers, type PreviewedStep, useApproval } from './excluded.tsx';

interface Props {
  appId: string;
  user: string;
  requester: string | null;
  /** Whether the request is for the user who is signed in. */
  own: boolean;
}

/** The people who will decide a request for an app, step by step. */
export function ApprovalPreview({ appId, user, requester, own }: Props) {
  const steps = useApproval(appId, user, requester);
  if (steps === undefined) return null;
  return (
    <div className={classes.approval}>
      <span className={classes.small}>{t`Approval steps`}</span>
      <ol>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity.
          <li key={index}>
            {stepWords(step, own)}
            <ExcludedApprovers of={step.excluded} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function stepWords({ approvers, require, via, people, administrators }: PreviewedStep, own: boolean): string {
  if (via === null) return t`Nobody can decide this step now. An administrator has to override it.`;
  if (people.length === 0) return t`An administrator`;
  const names = people.map(personName);
  if (require === 'all') return listed(administrators ? [...names, t`an administrator`] : names);
  const any = listed(names, 'disjunction');
  if (via === 'fallback') return t`${any}, because nobody else in this step can decide`;
  if (approvers === 'manager') return own ? t`${any} (your manager)` : t`${any} (the person's manager)`;
  if (approvers === 'app_owner') return t`${any} (owner of the app)`;
  return any;
}
