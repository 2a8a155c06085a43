import { t } from '@lingui/core/macro';
import { Empty } from '../kit/controls/empty.tsx';
import { ButtonLink } from '../kit/controls/links.tsx';
import { PageHeader } from '../kit/controls/page-header.tsx';
import classes from './not-found.module.css';

export function NotFoundPage() {
  return (
    <main className={classes.page}>
      <PageHeader title={t`Page not found`} />
      <Empty
        title={t`This page does not exist`}
        actions={<ButtonLink to="/">{t`Go to overview`}</ButtonLink>}
      >
        {t`Check the address, or start again from the overview.`}
      </Empty>
    </main>
  );
}
