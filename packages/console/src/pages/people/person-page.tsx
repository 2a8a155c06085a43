import { PageHeader } from '../../parts/page-header.tsx';

export function PersonPage() {
  return <PageHeader title="Person" />;
}
