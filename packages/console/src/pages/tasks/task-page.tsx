import { PageHeader } from '../../parts/page-header.tsx';

export function TaskPage() {
  return <PageHeader title="Task" />;
}
