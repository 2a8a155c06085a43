import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Progress, Text } from '@mantine/core';
import { grouped } from '../../kit/text/words.ts';
import { isRunning, type Session } from './sessions.ts';
import classes from './sync-progress.module.css';

interface Props {
  session: Session;
  /** The previous completed session. Its counts serve as the estimate, because a connector does not announce totals. */
  before: Session | undefined;
}

/** The number of pushed records by resource type, updated live. */
export function SyncProgress({ session, before }: Props) {
  const over = session.status === 'completed' || session.status === 'abandoned';
  const expectedOf = (slug: string) => before?.progress.find((one) => one.slug === slug)?.synced_count ?? 0;
  // The groups and licenses of a spreadsheet come with its accounts, and are not pushed themselves.
  const types = session.progress.filter(
    ({ slug, synced_count: count }) => !over || count > 0 || expectedOf(slug) > 0,
  );
  if (types.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t`No records were pushed.`}
      </Text>
    );
  return (
    <table className={classes.progress} aria-label={t`Pushed records by type`}>
      <tbody>
        {types.map(({ slug, name, synced_count: count }) => {
          const expected = expectedOf(slug);
          const pushed = grouped(count);
          const estimate = grouped(expected);
          const unknown = !over && expected === 0;
          const share = over
            ? Math.min(count, 1) * 100
            : unknown
              ? 100
              : Math.min(100, (count / expected) * 100);
          return (
            <tr key={slug}>
              <th scope="row">{name}</th>
              <td className={classes.bar}>
                <Progress
                  value={share}
                  animated={unknown && isRunning(session)}
                  aria-label={t`${name}: ${pushed} pushed`}
                />
              </td>
              <td className={classes.count}>
                {over || expected === 0 ? (
                  pushed
                ) : (
                  <Trans>
                    {pushed}{' '}
                    <Text span size="sm" c="dimmed">
                      of about {estimate}
                    </Text>
                  </Trans>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
