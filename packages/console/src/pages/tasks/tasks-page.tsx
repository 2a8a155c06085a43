import { PageHeader } from '../../parts/page-header.tsx';

export function TasksPage() {
  return <PageHeader title="Tasks" />;
}
