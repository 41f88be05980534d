import type { TextScan } from '@neuroloom/contract/burned-in'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../../ui/state-mark.tsx'

export function TextMark({ scan: { step, state } }: { scan: Pick<TextScan, 'step' | 'state'> }) {
  const { t } = useTranslation('texts')
  return <StateMark state={state} text={t(`states.${step}.${state}`)} />
}
