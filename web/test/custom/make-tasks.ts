/** Custom tasks as their member and administrators see them. */
import type { CustomTask, OfficeTask } from '@neuroloom/contract/custom/task-calls'

export const makeTask = (changes: Partial<CustomTask> = {}): CustomTask => ({
  id: 'task-1',
  kind: 'customisation',
  title: 'Nuclei in cytology',
  task: 'segmentation',
  description: 'Outline every nucleus.',
  source: null,
  state: 'pending_review',
  priceFen: null,
  isPaid: false,
  isReviewed: false,
  progress: 0,
  reason: '',
  publishedAt: '2027-01-04T09:00:00.000Z',
  approvedAt: null,
  dueAt: null,
  completedAt: null,
  changedAt: '2027-01-04T09:00:00.000Z',
  ...changes,
})

export const makeOfficeTask = (changes: Partial<OfficeTask> = {}): OfficeTask => ({
  ...makeTask(),
  member: { account: 'holder@hospital.example', nickName: 'Li' },
  isOwn: false,
  orderNo: '',
  provider: null,
  ...changes,
})
