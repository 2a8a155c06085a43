import { Empty } from '../parts/empty.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import classes from './not-found.module.css';

export function NotFoundPage() {
  return (
    <main className={classes.page}>
      <PageHeader title="There is no such page" />
      <Empty title="This address leads nowhere" actions={<ButtonLink to="/">Go to the overview</ButtonLink>}>
        It may have been mistyped, or what was here is gone.
      </Empty>
    </main>
  );
}
