import type { DemandState } from '@neuroloom/contract/market/states'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../ui/state-mark.tsx'

const marks = {
  open: 'waiting',
  assigned: 'running',
  delivered: 'asked',
  accepted: 'done',
  disputed: 'failed',
  closed: 'done',
  withdrawn: 'cancelled',
} as const satisfies Record<DemandState, string>

export function DemandMark({ state }: { state: DemandState }) {
  const { t } = useTranslation('market')
  return <StateMark state={marks[state]} text={t(`state.${state}`)} />
}
