import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/core/styles/Divider.css';
import { Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { LanguageLinks } from '../../language/language-links.tsx';
import { Logo } from '../../shell/logo.tsx';
import classes from './sign-in-frame.module.css';

/** The frame of the pages before sign-in. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = t`${title} · Gatehouse`;
  }, [title]);
  return (
    <main className={classes.frame}>
      <Stack gap="md" className={classes.box ?? ''}>
        <div className={classes.name}>
          <Logo size={22} />
          <Trans>Gatehouse</Trans>
        </div>
        <Title order={1}>{title}</Title>
        {children}
        <LanguageLinks />
      </Stack>
    </main>
  );
}
