import { Text } from '@mantine/core';
import type { Query } from '../../api/client.ts';
import { Bars } from '../../parts/bars.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Section } from '../../parts/section.tsx';
import { counted, grouped } from '../../parts/words.ts';

interface Failures {
  day: string;
  error_code: string;
  count: number;
}

/** The error codes of connectors (protocol 7.4). */
const REASONS = {
  ACCOUNT_NOT_FOUND: 'account not found',
  ACCOUNT_ALREADY_EXISTS: 'account already exists',
  LICENSE_EXHAUSTED: 'no free seats',
  PERMISSION_DENIED: 'permission denied',
  RATE_LIMITED: 'rate limited',
  TIMEOUT: 'timed out',
  INTERNAL_ERROR: 'connector error',
} satisfies Record<NonNullable<Query<'/api/tasks/'>['error_code']>, string>;

const dayName = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

const lastDays = () =>
  Array.from({ length: 7 }, (_, ago) =>
    new Date(Date.now() - (6 - ago) * 86_400_000).toISOString().slice(0, 10),
  );

/** Failed tasks of the last seven days, by day and by reason. */
export function FailedTasks({ failed }: { failed: readonly Failures[] }) {
  const total = failed.reduce((sum, { count }) => sum + count, 0);
  const title = 'Failed tasks, last 7 days';
  if (total === 0) {
    return (
      <Section title={title}>
        <Text size="sm" c="dimmed">
          No failed tasks. <TextLink to="/tasks">All tasks</TextLink>
        </Text>
      </Section>
    );
  }
  const reasons = new Map<string, number>();
  for (const { error_code, count } of failed) reasons.set(error_code, (reasons.get(error_code) ?? 0) + count);
  const words = [...reasons]
    .sort(([, one], [, other]) => other - one)
    .map(([code, count]) => `${grouped(count)} ${(REASONS as Record<string, string>)[code] ?? code}`);
  return (
    <Section
      title={title}
      actions={
        <TextLink to="/tasks" search={{ status: 'failed' }}>
          {counted(total, 'failure')}
        </TextLink>
      }
    >
      <Bars
        label="Failed tasks by day, UTC"
        bars={lastDays().map((day) => ({
          name: dayName.format(new Date(day)),
          value: failed.filter((one) => one.day === day).reduce((sum, { count }) => sum + count, 0),
          bad: true,
        }))}
      />
      <Text size="sm" c="dimmed" mt="xs">
        Reasons: {words.join(', ')}.
      </Text>
    </Section>
  );
}
