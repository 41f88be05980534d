import type { FlowState } from '@neuroloom/contract/flow/calls'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../../ui/state-mark.tsx'

const marks = {
  looking: 'running',
  asked: 'asked',
  making: 'running',
  ready: 'done',
  failed: 'failed',
} as const satisfies Record<FlowState, string>

export function StudyMark({ state }: { state: FlowState }) {
  const { t } = useTranslation('flow')
  return <StateMark state={marks[state]} text={t(`state.${state}`)} />
}
