import { t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { Bars } from '../../kit/chart/bars.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { grouped } from '../../kit/text/words.ts';
import { formatTag } from '../../language/language.ts';
import { errorWord } from '../../tasks/task-errors.ts';

interface Failures {
  day: string;
  error_code: string;
  count: number;
}

const dayName = new Intl.DateTimeFormat(formatTag, {
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
  const title = t`Failed tasks, last 7 days`;
  if (total === 0) {
    return (
      <Section title={title}>
        <Text size="sm" c="dimmed">
          {t`No failed tasks.`} <TextLink to="/tasks" underline="always">{t`All tasks`}</TextLink>
        </Text>
      </Section>
    );
  }
  const reasons = new Map<string, number>();
  for (const { error_code, count } of failed) reasons.set(error_code, (reasons.get(error_code) ?? 0) + count);
  const words = [...reasons]
    .sort(([, one], [, other]) => other - one)
    .map(([code, count]) => `${errorWord(code)}: ${grouped(count)}`)
    .join(', ');
  return (
    <Section
      title={title}
      actions={
        <TextLink to="/tasks" search={{ status: 'failed' }}>
          <Plural value={total} one="# failure" other="# failures" />
        </TextLink>
      }
    >
      <Bars
        label={t`Failed tasks by day, UTC`}
        bars={lastDays().map((day) => ({
          name: dayName.format(new Date(day)),
          value: failed.filter((one) => one.day === day).reduce((sum, { count }) => sum + count, 0),
          bad: true,
        }))}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {t`Reasons: ${words}.`}
      </Text>
    </Section>
  );
}
