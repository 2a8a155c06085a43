import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

interface Props {
  title: string;
  /** Buttons or links to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a heading. */
export function Section({ title, actions, children }: Props) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions}
      </div>
      {children}
    </section>
  );
}
