import { plural, t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import type { components } from '../../api/schema.ts';
import { Moment } from '../../kit/controls/moment.tsx';
import { Name } from '../../kit/text/name.tsx';

type Missing = components['schemas']['PolicyMissing'];
type Entry = Missing['entries'][number];

/** The access that a policy does not give again, because a person took it away. Nothing if there is none. */
export function MissingAccess({ of }: { of: Missing }) {
  if (of.count === 0) return null;
  return (
    <Alert
      color="yellow"
      my="xs"
      title={plural(of.count, {
        one: 'Not given again: # access that was revoked',
        other: 'Not given again: # accesses that were revoked',
      })}
    >
      <ul>
        {of.entries.map((entry) => (
          <li key={JSON.stringify(entry)}>
            <Name of={entry.user?.email ?? entry.account?.email ?? ''} />
            {' · '}
            <Name of={entry.app.name} />
            {entry.resource !== null && entry.slug !== null && (
              <>
                {' · '}
                <EntitlementLink
                  of={{ ...entry.resource, slug: entry.slug }}
                  appId={entry.app.external_uuid}
                />
              </>
            )}
            {' · '}
            {decisionWords(entry)} <Moment at={entry.decision.at} />
          </li>
        ))}
      </ul>
      {t`The policy gives it again when somebody grants it, or the condition becomes false and then true.`}
    </Alert>
  );
}

function decisionWords({ decision: { kind } }: Entry): string {
  if (kind === 'review') return t`revoked by a review`;
  return kind === 'request' ? t`revoked by a request` : t`revoked by hand`;
}
