import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type Answer, get } from '../../api/client.ts';
import { listed } from '../../kit/text/listed.ts';
import { personName } from '../../kit/text/words.ts';
import classes from './catalog.module.css';

type Step = Answer<'/api/apps/{app_id}/approval/'>['steps'][number];

interface Props {
  appId: string;
  user: string;
  requester: string | null;
  /** Whether the request is for the user who is signed in. */
  own: boolean;
}

/** The people who will decide a request for an app, step by step. */
export function ApprovalPreview({ appId, user, requester, own }: Props) {
  const preview = useQuery({
    ...get('/api/apps/{app_id}/approval/', {
      path: { app_id: appId },
      query: requester === null ? { user } : { user, requester },
    }),
    staleTime: 60_000,
  });
  // The people who decide are not known to members who request for somebody else.
  if (preview.data === undefined) return null;
  return (
    <div className={classes.approval}>
      <span className={classes.small}>
        <Trans>Approval steps</Trans>
      </span>
      <ol>
        {preview.data.steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity.
          <li key={index}>
            {stepWords(step, own)}
            {step.excluded.map(({ user: person, because }) => (
              <div key={person.external_uuid} className={classes.small}>
                {reasonWords(personName(person), because)}
              </div>
            ))}
          </li>
        ))}
      </ol>
    </div>
  );
}

function stepWords({ approvers, require, via, people, administrators }: Step, own: boolean): string {
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

/** Why somebody does not decide a step that would be theirs. */
function reasonWords(name: string, because: Step['excluded'][number]['because']): string {
  switch (because) {
    case 'counts_already':
      return t`${name} decides an earlier step. Another person has to decide this one.`;
    case 'has_another_seat':
      return t`${name} can decide only once in this step. Another person decides on behalf of the absent approver.`;
    default:
      return t`${name} cannot decide this request, because it is by or for them.`;
  }
}
