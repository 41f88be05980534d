import type { ConversionState } from '@neuroloom/contract/conversions'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../../ui/state-mark.tsx'

export function ConversionMark({ state }: { state: ConversionState }) {
  const { t } = useTranslation('viewing')
  return <StateMark state={state === 'converting' ? 'running' : state} text={t(`states.${state}`)} />
}
