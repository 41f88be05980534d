import { type Plane, planes } from '@neuroloom/contract/image-view'
import type { View } from '@neuroloom/contract/viewing'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Progress, Segmented, Spin } from 'antd'
import { useCallback, useEffect, useId, useMemo, useRef, useState, type WheelEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchBytes } from '../../../lib/bytes.ts'
import { formatNumber } from '../../../lib/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useScrollHints } from '../../../ui/hooks/use-scroll-hints.ts'
import { Along } from './along.tsx'
import { FlatPicture } from './flat-picture.tsx'
import { Guides } from './guides.tsx'
import { MarkLayer } from './measure/mark-layer.tsx'
import { MeasureSide } from './measure/measure-side.tsx'
import type { Surface } from './measure/surface.ts'
import { useDrafting } from './measure/use-drafting.ts'
import { useMeasuring } from './measure/use-measuring.ts'
import { OverlayLayer } from './overlay/overlay-layer.tsx'
import { OverlaySide } from './overlay/overlay-side.tsx'
import { useOverlays } from './overlay/use-overlays.ts'
import { Readout } from './readout.tsx'
import { useToldRun } from './series-run.ts'
import { storedSlice } from './slice-start.ts'
import { useCine } from './use-cine.ts'
import { handleViewKey, helpKeys } from './use-view-keys.ts'
import { type Tool, tools, useVolume } from './use-volume.ts'
import type { ImageView } from './view-address.ts'
import { useViewPlace, ViewPlaceContext } from './view-place.ts'
import { ViewTools } from './view-tools.tsx'
import styles from './viewer.module.css'
import { WindowSlider } from './window-slider.tsx'

type VolumeViewProps = {
  url: string
  view: Pick<View, 'notes'> & { facts: NonNullable<View['facts']>; series?: View['series'] }
}

/**
 * Drawn anew when the graphics fail beneath it: a driver that restarts, a computer that slept. With all that was measured
 * and chosen: it stands in the page alone.
 */
export function VolumeView({ url, view }: VolumeViewProps) {
  const place = useViewPlace()
  const file = useBytes(url)
  const [{ losses, refusals, asked, start }, setTries] = useState({ ...noTries, start: place.start })
  const whole = useMemo(() => ({ ...place, start }), [place, start])
  const redraw = useCallback(
    (seen: ImageView, why: keyof typeof noTries) =>
      setTries((before) => ({ ...before, start: seen, [why]: before[why] + 1 })),
    [],
  )
  if (file.error) return <ErrorState error={file.error} retry={() => void file.refetch()} />
  if (!file.data)
    return (
      <div className={styles.wait}>
        {view.series?.isShown ? <SeriesLoading files={view.series.files} percent={file.percent} /> : <Spin />}
      </div>
    )
  return (
    <ViewPlaceContext value={whole}>
      <Drawn
        key={losses + refusals + asked}
        bytes={file.data}
        view={view}
        onRedraw={redraw}
        isLossMended={losses < MOST_LOSSES}
        againMs={losses < MOST_LOSSES ? againMs[refusals] : undefined}
        isRetry={refusals + asked > 0}
      />
    </ViewPlaceContext>
  )
}

/** A series may take a while: how much of it has come. */
function SeriesLoading({ files, percent }: { files: number; percent: number }) {
  const { t } = useTranslation('files')
  const text = t('view.seriesLoading', { count: files, shown: formatNumber(files) })
  return (
    <>
      <Progress type="circle" size="small" percent={percent} aria-label={text} />
      <p>{text}</p>
    </>
  )
}

/** Why it was drawn anew: the graphics went away; they were not to be had; somebody pressed "Try again". */
const noTries = { losses: 0, refusals: 0, asked: 0 }
/** More often, and the image itself is too much for the graphics. */
const MOST_LOSSES = 3
/** Browsers give a page no graphics for a while after a driver failed: Chromium for two minutes when it failed twice. */
const againMs = [1000, 4000, 15_000, 50_000, 60_000]
const nothing: Surface['panes'] = []

/** Fetched once: links end within minutes, and graphics may fail after that. A newer link is another try. */
function useBytes(newest: string) {
  const id = useId()
  const [url, setUrl] = useState(newest)
  const [percent, setPercent] = useState(0)
  const file = useQuery({
    queryKey: ['volume', id, url],
    queryFn: async ({ signal }) => {
      const bytes = await fetchBytes({
        ...{ url, signal },
        onShare: (share) => setPercent(Math.floor(100 * share)),
      })
      if (bytes === null) throw new Error('the link has ended')
      return bytes
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (file.error && url !== newest) setUrl(newest)
  return { ...file, percent }
}

type DrawnProps = Pick<VolumeViewProps, 'view'> & {
  bytes: ArrayBuffer
  onRedraw: (seen: ImageView, why: keyof typeof noTries) => void
  /** Whether it is drawn anew at once when the graphics go away. */
  isLossMended: boolean
  /** When it is drawn anew by itself where there are no graphics. */
  againMs: number | undefined
  /** Whether it was already shown without graphics. */
  isRetry: boolean
}

/** An image of slices: three planes or one, brightness window, scrolling, film, zoom and measuring. */
function Drawn({ bytes, view, onRedraw, isLossMended, againMs: wait, isRetry }: DrawnProps) {
  const { t } = useTranslation(['files', 'viewer', 'common'])
  const { facts } = view
  const { start, isSeries } = useViewPlace()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const volume = useVolume(canvas, {
    ...{ bytes, facts, start },
    onLost: isLossMended ? () => onRedraw(seen(), 'losses') : undefined,
  })
  const { surface } = volume
  const measuring = useMeasuring({ surface, first: start })
  const drafting = useDrafting({
    panes: surface?.panes ?? nothing,
    kind: measuring.kind,
    onMark: (mark) => measuring.change({ deed: 'add', mark }),
  })
  const isVolume = facts.layout === 'volume'
  const isFlat = volume.state === 'failed'
  // The flat slice follows only the brightness. A retry that fails again must not make the tools flash up in between.
  const hasTools = volume.state === 'ready' || (volume.state === 'loading' && !isRetry)
  const frames = facts.size[3]
  const film = useFilm(volume, frames, facts.frameSeconds)
  const isGrey = facts.channels === 1 && facts.range !== null && facts.range.max > facts.range.min
  const { kind } = measuring
  const overlays = useOverlays()
  const [planeHints, toolHints] = [useScrollHints(), useScrollHints()]
  useEffect(() => {
    // Arrow keys move its cross.
    if (kind) canvas.current?.focus()
  }, [kind])
  const { slices } = volume
  useToldRun(
    view.series?.isShown && volume.state === 'ready' && slices.count > 1
      ? {
          ...{ description: view.series.description, slice: slices.value, count: slices.count },
          go: (by) => slices.go(slices.value + by),
          turn: film.turn,
        }
      : null,
  )
  const has = { slices: slices.count > 1, time: frames > 1, cine: film.cine !== null, planes: isVolume }
  const look = (): ImageView => ({
    ...volume.look(),
    ...{ isSeries, kind, marks: measuring.marks, overlays: overlays.views },
  })
  const seen = (): ImageView => (volume.state === 'ready' ? look() : { ...start, marks: measuring.marks })
  useEffect(() => {
    if (!isFlat || wait === undefined) return
    const timer = setTimeout(() => onRedraw(start, 'refusals'), wait)
    return () => clearTimeout(timer)
  }, [isFlat, wait, onRedraw, start])
  return (
    <div
      className={styles.volume}
      onKeyDownCapture={(event) =>
        handleViewKey(event, {
          ...{ measuring, drafting, cine: film.cine },
          ...{ zoom: volume.zoom, reset: volume.reset, openHelp: () => setIsHelpOpen(true) },
          own: {
            ArrowUp: () => slices.go(slices.value + 1),
            ArrowDown: () => slices.go(slices.value - 1),
            ArrowRight: () => film.turn(1),
            ArrowLeft: () => film.turn(-1),
          },
        })
      }
    >
      {hasTools && (
        <ViewTools
          measuring={measuring}
          overlays={overlays}
          zoom={volume.zoom}
          reset={volume.reset}
          look={look}
          help={{ isOpen: isHelpOpen, onOpen: setIsHelpOpen, keys: helpKeys(has) }}
        >
          {isVolume && (
            <Segmented<Plane>
              ref={planeHints}
              aria-label={t('view.planes')}
              value={volume.plane}
              onChange={volume.setPlane}
              options={planes.map((value) => ({ value, label: t(`view.plane.${value}`) }))}
            />
          )}
          <Segmented<Tool | 'measure'>
            ref={toolHints}
            aria-label={t('view.tools')}
            value={kind ? 'measure' : volume.tool}
            onChange={(tool) => {
              measuring.setKind(null)
              if (tool !== 'measure') volume.setTool(tool)
            }}
            options={tools
              .filter((value) => isGrey || value !== 'window')
              .map((value) => ({ value, label: t(`view.tool.${value}`) }))}
          />
        </ViewTools>
      )}
      <div
        className={styles.canvas}
        data-layout={facts.layout}
        data-stage
        onPointerDown={() => canvas.current?.focus()}
        onWheel={(event) => passOn(event, canvas.current)}
      >
        <canvas ref={canvas} aria-label={t('view.image')} />
        {isFlat && (
          <FlatPicture
            {...{ bytes, facts }}
            window={volume.window}
            slice={storedSlice(start.voxel, facts)}
            label={t('view.image')}
          />
        )}
        {volume.state === 'loading' && <Spin />}
        {isFlat && (
          <Alert
            type="error"
            showIcon
            className={styles.noGraphics ?? ''}
            title={t(volume.hasGraphics ? 'view.graphicsFailed' : 'view.noGraphics')}
            action={
              <Button size="small" onClick={() => onRedraw(seen(), 'asked')}>
                {t('common:retry')}
              </Button>
            }
          />
        )}
        {surface && (
          <>
            <Guides
              panes={surface.panes}
              cross={isVolume ? volume.under.voxel : null}
              hasSides={facts.orientation !== null}
            />
            {overlays.shown.length > 0 && (
              <OverlayLayer
                surface={surface}
                overlays={overlays.shown}
                places={facts.size[0] * facts.size[1] * facts.size[2]}
              />
            )}
            <MarkLayer surface={surface} measuring={measuring} drafting={drafting} unit={facts.unit} />
          </>
        )}
      </div>
      {hasTools && <Readout under={volume.under} facts={facts} />}
      {isGrey && facts.range && <WindowSlider facts={facts} range={facts.range} volume={volume} />}
      {hasTools && (
        <div className={styles.along}>
          {volume.along.map(
            ({ plane, count, value, go }) =>
              count > 1 && (
                <Along
                  key={plane}
                  label={volume.plane === 'three' ? t(`view.sliceIn.${plane}`) : t('view.slice')}
                  {...{ count, value }}
                  onChange={go}
                  cine={frames > 1 || plane !== slices.plane ? null : film.cine}
                />
              ),
          )}
        </div>
      )}
      {hasTools && frames > 1 && (
        <Along
          label={t('view.frame')}
          count={frames}
          value={volume.frame}
          onChange={volume.setFrame}
          cine={film.cine}
        />
      )}
      <OverlaySide overlays={overlays} />
      <MeasureSide view={view} measuring={measuring} onGo={volume.goToPlace} />
    </div>
  )
}

type Volume = ReturnType<typeof useVolume>

/** Points in time where there are any, else the slices of the plane. */
function useFilm(volume: Volume, frames: number, frameSeconds: number | null) {
  const { slices } = volume
  const isTime = frames > 1
  const count = isTime ? frames : slices.count
  const cine = useCine({
    count,
    index: isTime ? volume.frame : slices.value,
    show: isTime ? volume.setFrame : slices.go,
    frameSeconds,
  })
  return {
    cine: count > 1 ? cine : null,
    turn: (by: number): void => {
      const next = volume.frame + by
      if (!isTime) slices.go(slices.value + by)
      else if (next >= 0 && next < frames) volume.setFrame(next)
    },
  }
}

/** The layer of marks lies over the canvas that scrolls. */
function passOn(event: WheelEvent, canvas: HTMLCanvasElement | null): void {
  if (event.target === canvas || canvas === null) return
  canvas.dispatchEvent(new globalThis.WheelEvent(event.type, event.nativeEvent))
}
