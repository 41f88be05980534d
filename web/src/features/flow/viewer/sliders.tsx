import { CaretRightOutlined, PauseOutlined } from '@ant-design/icons'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { Button, Segmented, Slider } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { isPeriodic } from './beat.ts'
import { type Choice, placeIn, sightIn, sliceOf } from './choice.ts'
import type { Play } from './use-play.ts'
import styles from './viewer.module.css'
import { millisecondsAt } from './words.ts'

type TimeProps = { head: FlowStudy; choice: Choice; change: (patch: Partial<Choice>) => void; play: Play }
type SlidersProps = TimeProps & { hasSlices: boolean; hasTime?: boolean }

/** Through the slices and through time; a study of one moment has no time. */
export function Sliders({ head, choice, change, play, hasSlices, hasTime = true }: SlidersProps) {
  const { t } = useTranslation('flow-view')
  const count = sightIn(head, choice).slices
  const slice = Math.round(sliceOf(head, choice))
  const setSlice = (next: number) => change({ place: placeIn(head, choice, next) })
  return (
    <div className={styles.sliders}>
      {hasSlices && count > 1 && (
        <div className={styles.along}>
          <span>{t('slice')}</span>
          <Slider
            min={1}
            max={count}
            value={slice + 1}
            ariaLabelForHandle={t('slice')}
            onChange={(shown) => setSlice(shown - 1)}
          />
          <span className={styles.count}>
            {formatNumber(slice + 1)} / {formatNumber(count)}
          </span>
        </div>
      )}
      {hasTime && head.frames > 1 && <Time {...{ head, choice, change, play }} />}
    </div>
  )
}

function Time({ head, choice, change, play }: TimeProps) {
  const { t } = useTranslation('flow-view')
  const name = t(play.isPlaying ? 'time.pause' : 'time.play')
  return (
    <>
      <div className={styles.along}>
        <span>{t('time.name')}</span>
        <Slider
          min={1}
          max={head.frames}
          value={choice.frame + 1}
          ariaLabelForHandle={t('time.name')}
          onChange={(shown) => {
            play.stop()
            change({ frame: shown - 1 })
          }}
        />
        <span className={styles.count}>
          {t('time.ms', { time: formatNumber(millisecondsAt(head, choice.frame)) })}
        </span>
      </div>
      <div className={styles.bar}>
        <span className={styles.tools}>
          <Button
            type={play.isPlaying ? 'primary' : 'default'}
            icon={play.isPlaying ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
            onClick={play.toggle}
          >
            {name}
          </Button>
          <Segmented<1 | 0.25>
            aria-label={t('time.pace')}
            value={play.pace}
            onChange={play.setPace}
            options={[
              { value: 1, label: t('time.true') },
              { value: 0.25, label: t('time.slow') },
            ]}
          />
        </span>
        {!isPeriodic(head) && <span className={styles.soft}>{t('time.once')}</span>}
      </div>
    </>
  )
}
