import type { FlowSection } from '@neuroloom/contract/flow/run'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { flowLimits } from '@neuroloom/contract/limits'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/format.ts'
import type { Start } from '../viewer/choice.ts'
import { WithStudy } from '../viewer/flow-viewer.tsx'
import { bytesOf, type Source } from '../viewer/source.ts'
import { PairBench } from './pair-bench.tsx'
import type { Two } from './use-pair.ts'

export type BesideProps = {
  sources: Two<Source & { head: FlowStudy }>
  start?: Start
  /** Of the first: what an oblique plane may be laid along. */
  sections?: readonly FlowSection[]
  /** Fetches fresh addresses before another try. */
  onAgain?: () => Promise<unknown>
}

/** Two studies next to each other, on a phone one below the other. One is loaded after the other. */
export function StudiesBeside({ sources: [one, other], onAgain, ...bench }: BesideProps) {
  const { t } = useTranslation('flow-beside')
  const bytes = besideBytes(one.head, other.head)
  if (bytes > flowLimits.besideBytes) {
    const params = { size: formatBytes(bytes), most: formatBytes(flowLimits.besideBytes) }
    return <Alert type="warning" showIcon title={t('tooLarge')} description={t('tooLargeAbout', params)} />
  }
  return (
    <WithStudy source={one} onAgain={onAgain}>
      {(first) => (
        <WithStudy source={other} onAgain={onAgain}>
          {(second) => (
            <PairBench
              key={`${one.key} ${other.key}`}
              {...bench}
              sides={[
                { key: 'first', name: one.name, ...first },
                { key: 'second', name: other.name, ...second },
              ]}
            />
          )}
        </WithStudy>
      )}
    </WithStudy>
  )
}

/** Of all files that are held: with a study come its maps of Q and λ2, half as large. */
export const besideBytes = (one: FlowStudy, other: FlowStudy): number => 1.5 * (bytesOf(one) + bytesOf(other))
