import type { ImageFacts } from '@neuroloom/contract/viewing'
import { Alert, Button, Segmented, Select, Slider, Spin } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { type Plane, planes, type Tool, tools, useVolume } from './use-volume.ts'
import styles from './viewer.module.css'

type VolumeViewProps = { url: string; facts: ImageFacts }

/** An image of slices: three planes or one, brightness window, scrolling, zoom and measuring. */
export function VolumeView({ url, facts }: VolumeViewProps) {
  const { t } = useTranslation('files')
  const canvas = useRef<HTMLCanvasElement>(null)
  const volume = useVolume(canvas, { url, facts })
  const isVolume = facts.layout === 'volume'
  const frames = facts.size[3]
  return (
    <div className={styles.volume}>
      <div className={styles.tools} role="toolbar" aria-label={t('view.tools')}>
        {isVolume && (
          <Segmented<Plane>
            aria-label={t('view.planes')}
            value={volume.plane}
            onChange={volume.setPlane}
            options={planes.map((value) => ({ value, label: t(`view.plane.${value}`) }))}
          />
        )}
        <Segmented<Tool>
          aria-label={t('view.tools')}
          value={volume.tool}
          onChange={volume.setTool}
          options={tools.map((value) => ({ value, label: t(`view.tool.${value}`) }))}
        />
        <Button onClick={volume.reset}>{t('view.reset')}</Button>
      </div>
      <div className={styles.canvas} data-layout={facts.layout}>
        <canvas ref={canvas} aria-label={t('view.image')} />
        {volume.state === 'loading' && <Spin />}
        {volume.state === 'failed' && <Alert type="error" showIcon title={t('view.noGraphics')} />}
        <output className={styles.place}>{volume.place}</output>
      </div>
      {facts.channels === 1 && facts.range && facts.range.max > facts.range.min && (
        <Window facts={facts} range={facts.range} volume={volume} />
      )}
      {!isVolume && facts.size[2] > 1 && (
        <Along
          label={t('view.slice')}
          count={facts.size[2]}
          value={volume.slice}
          onChange={volume.setSlice}
        />
      )}
      {frames > 1 && (
        <Along label={t('view.frame')} count={frames} value={volume.frame} onChange={volume.setFrame} />
      )}
    </div>
  )
}

type WindowProps = {
  facts: ImageFacts
  range: { min: number; max: number }
  volume: ReturnType<typeof useVolume>
}

/** Which values are black and which are white. */
function Window({ facts, range, volume }: WindowProps) {
  const { t } = useTranslation('files')
  const [low, high] = volume.window
  const span = range.max - range.min
  const step = Number.isInteger(range.min) && Number.isInteger(range.max) && span > 20 ? 1 : span / 1000
  return (
    <div className={styles.slider}>
      <span>{t('view.window')}</span>
      <Slider
        range
        min={range.min}
        max={range.max}
        step={step}
        value={[low, high]}
        tooltip={{ formatter: (value) => formatNumber(value ?? 0, step === 1 ? 0 : 3) }}
        onChange={([from = range.min, to = range.max]) => volume.setWindow([from, to])}
      />
      {facts.windows.length > 0 && (
        <Select<number>
          className={styles.preset ?? ''}
          aria-label={t('view.presets')}
          value={null as unknown as number}
          placeholder={t('view.presets')}
          onChange={(index) => {
            const chosen = facts.windows[index]
            if (chosen) volume.setWindow([chosen.center - chosen.width / 2, chosen.center + chosen.width / 2])
          }}
          options={facts.windows.map(({ name, center, width }, value) => ({
            value,
            label: name === '' ? `${formatNumber(center)} / ${formatNumber(width)}` : name,
          }))}
        />
      )}
    </div>
  )
}

type AlongProps = { label: string; count: number; value: number; onChange: (index: number) => void }

/** One after the other: pages of a stack, points in time. */
function Along({ label, count, value, onChange }: AlongProps) {
  return (
    <div className={styles.slider}>
      <span>{label}</span>
      <Slider min={1} max={count} value={value + 1} onChange={(shown) => onChange(shown - 1)} />
      <span>
        {value + 1} / {count}
      </span>
    </div>
  )
}
