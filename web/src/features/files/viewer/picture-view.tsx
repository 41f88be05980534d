import { ColumnWidthOutlined, WarningOutlined } from '@ant-design/icons'
import type { View } from '@neuroloom/contract/viewing'
import { Button } from 'antd'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { MarkLayer } from './measure/mark-layer.tsx'
import { MeasureSide } from './measure/measure-side.tsx'
import type { Surface } from './measure/surface.ts'
import { useDrafting } from './measure/use-drafting.ts'
import { useMeasuring } from './measure/use-measuring.ts'
import { OverlayLayer } from './overlay/overlay-layer.tsx'
import { OverlaySide } from './overlay/overlay-side.tsx'
import { useOverlays } from './overlay/use-overlays.ts'
import { usePicture } from './use-picture.ts'
import { useTouch } from './use-touch.ts'
import { handleViewKey, helpKeys } from './use-view-keys.ts'
import { plainView } from './view-address.ts'
import { useViewPlace } from './view-place.ts'
import { ViewTools } from './view-tools.tsx'
import styles from './viewer.module.css'

type PictureViewProps = { url: string; name: string; view: Pick<View, 'facts' | 'notes'> }

const nothing: Surface['panes'] = []

/** A picture, as large as there is room: moved, enlarged and measured. */
export function PictureView({ url, name, view }: PictureViewProps) {
  const { t } = useTranslation(['files', 'viewer'])
  const { start, isSeries } = useViewPlace()
  const stage = useRef<HTMLDivElement>(null)
  const image = useRef<HTMLImageElement>(null)
  const [isBroken, setIsBroken] = useState(false)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const picture = usePicture(stage, { facts: view.facts, start })
  const { surface } = picture
  const measuring = useMeasuring({ surface, first: start })
  const { kind } = measuring
  const overlays = useOverlays()
  const drafting = useDrafting({
    panes: surface?.panes ?? nothing,
    kind,
    onMark: (mark) => measuring.change({ deed: 'add', mark }),
  })
  const drag = useDragging(picture.pan)
  useTouch(image, {
    zoom: (by, { clientX, clientY }) => {
      const { left = 0, top = 0 } = stage.current?.getBoundingClientRect() ?? {}
      picture.zoom(by, [clientX - left, clientY - top])
    },
    isDragged: false,
    isWheelZoom: true,
  })
  useEffect(() => {
    // Arrow keys move its cross.
    if (kind) stage.current?.focus()
  }, [kind])
  if (isBroken)
    return (
      <EmptyState icon={<WarningOutlined aria-hidden />} title={t('view.broken')} text={t('cannotShow')} />
    )
  const look = () => ({
    ...plainView,
    ...{ isSeries, kind, pan: picture.look(), marks: measuring.marks, overlays: overlays.views },
  })
  const real = t(picture.isWhole ? 'view.realSize' : 'view.fit')
  return (
    <div
      className={styles.volume}
      onKeyDownCapture={(event) =>
        handleViewKey(event, {
          ...{ measuring, drafting, cine: null },
          ...{ zoom: (by) => picture.zoom(by), reset: picture.reset, openHelp: () => setIsHelpOpen(true) },
          own: {
            ArrowLeft: () => picture.pan([PAN, 0]),
            ArrowRight: () => picture.pan([-PAN, 0]),
            ArrowUp: () => picture.pan([0, PAN]),
            ArrowDown: () => picture.pan([0, -PAN]),
          },
        })
      }
    >
      <ViewTools
        measuring={measuring}
        overlays={overlays}
        zoom={(by) => picture.zoom(by)}
        reset={picture.reset}
        look={look}
        help={{
          isOpen: isHelpOpen,
          onOpen: setIsHelpOpen,
          keys: helpKeys({ slices: false, time: false, cine: false, planes: false }),
        }}
      >
        <Button
          icon={<ColumnWidthOutlined aria-hidden />}
          aria-label={real}
          title={real}
          onClick={picture.toggle}
        />
      </ViewTools>
      {/* biome-ignore lint/a11y/useSemanticElements: it is moved and measured, no fieldset */}
      <div
        ref={stage}
        className={styles.picture}
        data-stage
        role="group"
        aria-label={t('view.image')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move it, enlarge it and set points
        tabIndex={0}
        onDoubleClick={kind === null ? picture.toggle : undefined}
        {...drag}
      >
        <img
          ref={image}
          src={url}
          alt={name}
          draggable={false}
          data-large={picture.scale > 2}
          data-loading={surface === null}
          style={
            surface
              ? {
                  transform: `translate(${picture.origin[0]}px, ${picture.origin[1]}px) scale(${picture.scale})`,
                }
              : undefined
          }
          onLoad={({ currentTarget }) => picture.setImage(currentTarget)}
          onError={() => setIsBroken(true)}
        />
        {surface && (
          <>
            {overlays.shown.length > 0 && (
              <OverlayLayer surface={surface} overlays={overlays.shown} places={1} />
            )}
            <MarkLayer
              surface={surface}
              measuring={measuring}
              drafting={drafting}
              unit={view.facts?.unit ?? ''}
            />
          </>
        )}
      </div>
      <OverlaySide overlays={overlays} />
      <MeasureSide view={view} measuring={measuring} onGo={() => undefined} />
    </div>
  )
}

/** Pixels of the screen a key moves it. */
const PAN = 40

/** With the mouse or one finger, where no mark is begun or moved. */
function useDragging(pan: (by: readonly [number, number]) => void) {
  const before = useRef<{ x: number; y: number } | null>(null)
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const { currentTarget, target, clientX, clientY, pointerId, button, isPrimary } = event
      currentTarget.focus()
      if (target instanceof SVGElement || button !== 0 || !isPrimary) return
      currentTarget.setPointerCapture(pointerId)
      before.current = { x: clientX, y: clientY }
    },
    onPointerMove: ({ clientX, clientY, isPrimary }: PointerEvent<HTMLElement>) => {
      if (!before.current || !isPrimary) return
      pan([clientX - before.current.x, clientY - before.current.y])
      before.current = { x: clientX, y: clientY }
    },
    onPointerUp: () => {
      before.current = null
    },
    onPointerCancel: () => {
      before.current = null
    },
  }
}
