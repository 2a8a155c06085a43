import { t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import { useId } from 'react';
import { ButtonLink } from '../../kit/controls/links.tsx';
import classes from './policies.module.css';
import type { StartId } from './start-ids.ts';
import { startOf, TEMPLATES } from './templates.ts';

/** The templates, each with a sentence and links that open its policies, filled in. */
export const TemplateCards = () => (
  <ul className={classes.templates} aria-label={t`Templates`}>
    {TEMPLATES.map(({ title, about, starts }) => (
      <Card key={title} title={title} about={about} starts={starts} />
    ))}
  </ul>
);

interface CardProps {
  title: string;
  about: string;
  starts: readonly StartId[];
}

function Card({ title, about, starts }: CardProps) {
  const id = useId();
  return (
    <li aria-labelledby={id}>
      <Text id={id} fw={600}>
        {title}
      </Text>
      <Text size="sm" c="dimmed">
        {about}
      </Text>
      <Group gap="xs" mt="sm">
        {starts.map((from) => {
          const { label } = startOf(from);
          return (
            <ButtonLink
              key={from}
              variant="default"
              to="/policies/new"
              search={{ from }}
              aria-label={t`${label}: ${title}`}
            >
              {label}
            </ButtonLink>
          );
        })}
      </Group>
    </li>
  );
}
