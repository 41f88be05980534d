import type { CustomState } from '@neuroloom/contract/custom/task-states'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../ui/state-mark.tsx'

const marks: Record<CustomState, ComponentProps<typeof StateMark>['state']> = {
  unpaid: 'asked',
  pending_review: 'waiting',
  approved: 'waiting',
  rejected: 'failed',
  processing: 'running',
  completed: 'done',
}

export function TaskMark({ state }: { state: CustomState }) {
  const { t } = useTranslation('custom')
  return <StateMark state={marks[state]} text={t(`state.${state}`)} />
}
