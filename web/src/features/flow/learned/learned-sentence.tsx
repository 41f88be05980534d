import type { FlowSharpened } from '@neuroloom/contract/flow/sharpen'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../../lib/format.ts'

/** By which network, how much better than interpolation it is, and that nobody measured what it tells. */
export function LearnedSentence({ sharpened }: { sharpened: FlowSharpened }) {
  const { t } = useTranslation(['flow-sharpen', 'networks'])
  const { network, factor, gain } = sharpened
  return (
    <span>
      {t('note', {
        factor,
        network: t(`networks:${network}.title`, { defaultValue: t('ownNetwork') }),
        gain: formatPercent(gain.mean),
        low: formatPercent(gain.low),
        high: formatPercent(gain.high),
      })}
    </span>
  )
}
