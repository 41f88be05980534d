import type { FlowSection } from '@neuroloom/contract/flow/run'
import { useTranslation } from 'react-i18next'
import type { Start } from '../viewer/choice.ts'
import { WithStudy } from '../viewer/flow-viewer.tsx'
import type { Source } from '../viewer/source.ts'
import { PairBench } from './pair-bench.tsx'
import type { Two } from './use-pair.ts'

type MomentsProps = {
  source: Source
  /** Frames to begin with. */
  frames: Two<number>
  start?: Start
  sections?: readonly FlowSection[]
  onAgain?: () => Promise<unknown>
}

/** Two moments of one study next to each other; the study is held once. */
export function MomentsBeside({ source, frames: [first, second], onAgain, ...bench }: MomentsProps) {
  const { t } = useTranslation('flow-beside')
  return (
    <WithStudy source={source} onAgain={onAgain}>
      {(open) => (
        <PairBench
          key={source.key}
          {...bench}
          hasOwnTimes
          sides={[
            { key: 'first', name: t('moment.first'), ...open, frame: first },
            { key: 'second', name: t('moment.second'), ...open, frame: second },
          ]}
        />
      )}
    </WithStudy>
  )
}
