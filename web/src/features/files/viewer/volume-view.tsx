import { FullscreenOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons'
import type { ImageFacts } from '@neuroloom/contract/viewing'
import { Alert, Button, Segmented, Slider, Spin } from 'antd'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { type Plane, planes, type Tool, tools, useVolume } from './use-volume.ts'
import styles from './viewer.module.css'
import { WindowSlider } from './window-slider.tsx'

type VolumeViewProps = { url: string; facts: ImageFacts }

/** Drawn anew when the graphics fail beneath it: a driver that restarts, a computer that slept. */
export function VolumeView(image: VolumeViewProps) {
  const [losses, setLosses] = useState(0)
  return (
    <Drawn
      key={losses}
      {...image}
      {...(losses < MOST_LOSSES ? { onLost: () => setLosses(losses + 1) } : {})}
    />
  )
}

/** More often, and the image itself is too much for the graphics. */
const MOST_LOSSES = 3

/** An image of slices: three planes or one, brightness window, scrolling, zoom and measuring. */
function Drawn({ url, facts, onLost }: VolumeViewProps & { onLost?: () => void }) {
  const { t } = useTranslation('files')
  const canvas = useRef<HTMLCanvasElement>(null)
  const whole = useRef<HTMLDivElement>(null)
  const volume = useVolume(canvas, { url, facts, onLost })
  const isVolume = facts.layout === 'volume'
  const frames = facts.size[3]
  const isGrey = facts.channels === 1 && facts.range !== null && facts.range.max > facts.range.min
  return (
    <div className={styles.volume} ref={whole} onKeyDownCapture={(event) => handleKey(event, volume, frames)}>
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
          options={tools
            .filter((value) => isGrey || value !== 'window')
            .map((value) => ({ value, label: t(`view.tool.${value}`) }))}
        />
        <Button
          icon={<ZoomOutOutlined aria-hidden />}
          aria-label={t('view.zoomOut')}
          title={t('view.zoomOut')}
          onClick={() => volume.zoom(1 / STEP)}
        />
        <Button
          icon={<ZoomInOutlined aria-hidden />}
          aria-label={t('view.zoomIn')}
          title={t('view.zoomIn')}
          onClick={() => volume.zoom(STEP)}
        />
        <Button onClick={volume.reset}>{t('view.reset')}</Button>
        {document.fullscreenEnabled && (
          <Button
            icon={<FullscreenOutlined aria-hidden />}
            aria-label={t('view.fullScreen')}
            title={t('view.fullScreen')}
            onClick={() => void toggleFullScreen(whole.current)}
          />
        )}
      </div>
      <div className={styles.canvas} data-layout={facts.layout}>
        <canvas ref={canvas} aria-label={t('view.image')} />
        {volume.state === 'loading' && <Spin />}
        {volume.state === 'failed' && <Alert type="error" showIcon title={t('view.noGraphics')} />}
        <output className={styles.place}>
          {volume.measured !== null && (
            <span>
              {t(facts.spacing === null ? 'view.measuredPixels' : 'view.measured', {
                length: formatNumber(volume.measured, 1),
              })}
            </span>
          )}
          <span>{volume.place}</span>
        </output>
      </div>
      {isGrey && facts.range && <WindowSlider facts={facts} range={facts.range} volume={volume} />}
      {volume.slices > 1 && (
        <Along
          label={t('view.slice')}
          count={volume.slices}
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

const STEP = 1.25

type Volume = ReturnType<typeof useVolume>

/** Slices, points in time and zoom by the keyboard; the drawing library has keys of its own for some of these. */
function handleKey(event: KeyboardEvent, volume: Volume, frames: number): void {
  if (!(event.target instanceof HTMLCanvasElement)) return
  const along = (by: number): void => {
    const next = volume.frame + by
    if (next >= 0 && next < frames) volume.setFrame(next)
  }
  const deeds: Record<string, () => void> = {
    ArrowUp: () => volume.setSlice(volume.slice + 1),
    ArrowDown: () => volume.setSlice(volume.slice - 1),
    ArrowRight: () => along(1),
    ArrowLeft: () => along(-1),
    '+': () => volume.zoom(STEP),
    '=': () => volume.zoom(STEP),
    '-': () => volume.zoom(1 / STEP),
    '0': volume.reset,
  }
  const deed = deeds[event.key]
  if (!deed) return
  event.preventDefault()
  event.stopPropagation()
  deed()
}

async function toggleFullScreen(element: HTMLElement | null): Promise<void> {
  // Refused where a page may not: then nothing changes.
  if (document.fullscreenElement) await document.exitFullscreen().catch(() => undefined)
  else await element?.requestFullscreen().catch(() => undefined)
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
