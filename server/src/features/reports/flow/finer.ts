/** Of a study that a network made finer: what it is told by, wherever its numbers are. Nothing of any other. */
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { textsOf } from '../../../infra/texts.ts'
import type { FlowFacts } from './facts.ts'
import type { FlowWords } from './words.ts'

type Sharpened = NonNullable<FlowStudy['sharpened']>

/** One sentence: by which network, how many times, and how much better than interpolation it was where that is known. */
export function finerText(key: string, { study }: FlowFacts, words: FlowWords): string[] {
  const { sharpened } = study.head
  if (!sharpened) return []
  const { factor, gain } = sharpened
  return [
    words.t(key, {
      network: networkName(sharpened, words),
      factor,
      against: words.t(`method.against.${gain.against}`),
      gain: words.said('share', gain.mean),
      low: words.said('share', gain.low),
      high: words.said('share', gain.high),
    }),
  ]
}

export const finerBy = ({ sharpened }: FlowStudy, words: FlowWords): string | null =>
  sharpened
    ? words.t('scan.finerBy', { network: networkName(sharpened, words), factor: sharpened.factor })
    : null

/** Own networks stand there by their names. */
const networkName = ({ network }: Sharpened, { language }: FlowWords): string =>
  textsOf('networks', language)[`${network}.title`] ?? network
