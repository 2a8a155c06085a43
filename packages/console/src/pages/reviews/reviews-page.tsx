import { PageHeader } from '../../parts/page-header.tsx';

export function ReviewsPage() {
  return <PageHeader title="Access reviews" />;
}
