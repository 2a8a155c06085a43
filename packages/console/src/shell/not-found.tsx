import { Empty } from '../parts/empty.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import classes from './not-found.module.css';

export function NotFoundPage() {
  return (
    <main className={classes.page}>
      <PageHeader title="Page not found" />
      <Empty title="This page does not exist" actions={<ButtonLink to="/">Go to overview</ButtonLink>}>
        Check the address, or start again from the overview.
      </Empty>
    </main>
  );
}
