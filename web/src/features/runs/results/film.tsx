import { CaretRightFilled, PauseOutlined } from '@ant-design/icons'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { Button, Slider } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Panel } from '../../../ui/page.tsx'
import type { Detail } from '../apply-event.ts'
import styles from './film.module.css'
import { ItemGallery } from './item-gallery.tsx'

type Preview = NonNullable<Detail['preview']>
type Props = {
  run: LearnedRun
  preview: Preview
  /** Of which there are images, in order. */
  epochs: readonly number[]
}

/** Long enough to see what changed. */
const FRAME_MS = 500

/** The same few images at each epoch that was kept: the newest, or one chosen above them, or all as a film. */
export function Film({ run, preview, epochs }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  const [chosen, setChosen] = useState<number | null>(null)
  const [isPlaying, setPlaying] = useState(false)
  // The newest one follows the training.
  const last = epochs.length - 1
  const place = chosen === null ? last : Math.min(chosen, last)
  const epoch = epochs[place] ?? preview.epoch
  const isNewest = epoch === preview.epoch
  const { data, isFetching } = useCall(
    'runs/preview',
    { id: run.id, epoch },
    { quiet: true, enabled: !isNewest, keepPrevious: true, staleTime: Number.POSITIVE_INFINITY },
  )
  const shown = isNewest ? preview : (data ?? preview)

  useEffect(() => {
    if (!isPlaying || isFetching) return
    if (place >= last) {
      setPlaying(false)
      setChosen(null)
      return
    }
    const timer = setTimeout(() => setChosen(place + 1), FRAME_MS)
    return () => clearTimeout(timer)
  }, [isPlaying, isFetching, place, last])

  const play = () => {
    if (place >= last) setChosen(0)
    setPlaying(!isPlaying)
  }
  const move = (next: number) => {
    setPlaying(false)
    setChosen(next === last ? null : next)
  }
  return (
    <Panel
      title={t('results:preview.title')}
      extra={
        <span className={styles.epoch} aria-live="off">
          {t('results:curves.epoch', { number: shown.epoch })}
        </span>
      }
    >
      {epochs.length > 1 ? (
        <div className={styles.scrubber}>
          <Button
            shape="circle"
            icon={isPlaying ? <PauseOutlined /> : <CaretRightFilled />}
            aria-label={t(isPlaying ? 'results:preview.halt' : 'results:preview.play')}
            title={t(isPlaying ? 'results:preview.halt' : 'results:preview.play')}
            onClick={play}
          />
          <Slider
            className={styles.slider ?? ''}
            min={0}
            max={last}
            value={place}
            onChange={move}
            tooltip={{ formatter: (at) => t('results:curves.epoch', { number: epochs[at ?? 0] ?? 0 }) }}
            ariaLabelForHandle={t('results:preview.scrub')}
            ariaValueTextFormatterForHandle={(at) => t('results:curves.epoch', { number: epochs[at] ?? 0 })}
          />
        </div>
      ) : null}
      <ItemGallery items={shown.items} run={run} isCompact />
      <p className={styles.lead}>{t(`results:preview.${run.task}`)}</p>
    </Panel>
  )
}
