import { t } from '@lingui/core/macro';
import { List } from '@mantine/core';
import { personName } from '../kit/text/words.ts';

/** A decision that suspends an account, as far as it is shown: members do not see who decided and why. */
export interface ShownSuspension {
  source: { kind: 'manual' | 'review' | 'policy' | 'app'; label: string | null };
  decided_by?: { email: string; first_name: string; last_name: string } | null;
  reason?: string | null;
}

/** "The policy "Leavers" suspended the account" */
export function suspensionWords({ source: { kind, label }, decided_by }: ShownSuspension): string {
  const name = label ?? '';
  const person = decided_by == null ? undefined : personName(decided_by);
  switch (kind) {
    case 'app':
      return t`Suspended in the app, and found by a sync`;
    case 'policy':
      return name === '' ? t`Suspended by a policy` : t`Suspended by the policy ${name}`;
    case 'review':
      return name === '' ? t`Suspended by an access review` : t`Suspended by the access review ${name}`;
    default:
      return person === undefined ? t`Suspended by an administrator` : t`Suspended by ${person}`;
  }
}

/** The reason that a person gave. Tasks of policies and reviews name only their decision. */
export const suspensionReason = ({ source, reason }: ShownSuspension): string | undefined =>
  source.kind === 'manual' && reason != null && reason !== '' ? reason : undefined;

interface Props {
  label: string;
  of: readonly { id: string; suspension: ShownSuspension; account?: string }[];
}

/** A list of decisions that suspend accounts. */
export function SuspensionList({ label, of }: Props) {
  return (
    <List size="sm" mt="xs" aria-label={label}>
      {of.map(({ id, suspension, account }) => (
        <List.Item key={id}>
          {[account, suspensionWords(suspension), suspensionReason(suspension)]
            .filter((part) => part !== undefined)
            .join(': ')}
        </List.Item>
      ))}
    </List>
  );
}
