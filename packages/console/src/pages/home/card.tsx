import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './home.module.css';

interface Props {
  /** "Oldest approval" */
  kind: string;
  /** A link to the whole page. */
  title: ReactNode;
  /** The buttons that decide. */
  actions: ReactNode;
  children: ReactNode;
}

/** The first of what waits, with what somebody needs to decide it. */
export function Card({ kind, title, actions, children }: Props) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <p className={classes.kind}>{kind}</p>
      <Title order={3} id={id}>
        {title}
      </Title>
      <div className={classes.facts}>{children}</div>
      <div className={classes.actions}>{actions}</div>
    </section>
  );
}
