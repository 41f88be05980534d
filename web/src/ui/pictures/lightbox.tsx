import { LeftOutlined, MinusOutlined, PlusOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './lightbox.module.css'

/** Something that can be shown or hidden, by its button and by its key. */
export type LightboxToggle = { key: string; name: string; isOn: boolean; onToggle: () => void }

type Props = {
  open: boolean
  /** What the image is called. */
  name: ReactNode
  /** Which one it is of how many, and its score. */
  caption: string
  /** The one before and the one after; null at an end. */
  onBack: (() => void) | null
  onNext: (() => void) | null
  zoom: number
  onZoom: (zoom: number) => void
  /** Not where what is shown has a zoom of its own. */
  hasZoom?: boolean
  toggles?: readonly LightboxToggle[]
  onClose: () => void
  /** What is said of the image. */
  told?: ReactNode
  children: ReactNode
}

const zooms = [1, 1.5, 2, 3, 4, 6, 8] as const

/** Images over the whole window, one after the other: arrows move, + and − zoom, letters show and hide, Escape leaves. */
export function Lightbox(props: Props) {
  const { open, name, caption, onBack, onNext, hasZoom = true, toggles = [], onClose, told, children } = props
  const { t } = useTranslation('common')
  useKeys(props)
  return (
    <Modal
      open={open}
      title={<span className={styles.title}>{name}</span>}
      onCancel={onClose}
      footer={null}
      width="100vw"
      className={styles.box ?? ''}
      classNames={{ container: styles.container ?? '', body: styles.body ?? '' }}
      destroyOnHidden
    >
      <div className={styles.frame}>
        <div className={styles.tools}>
          <Button
            icon={<LeftOutlined />}
            disabled={onBack === null}
            aria-label={t('lightbox.back')}
            title={`${t('lightbox.back')} (←)`}
            onClick={() => onBack?.()}
          />
          <Button
            icon={<RightOutlined />}
            disabled={onNext === null}
            aria-label={t('lightbox.next')}
            title={`${t('lightbox.next')} (→)`}
            onClick={() => onNext?.()}
          />
          <span className={styles.caption} aria-live="polite">
            {caption}
          </span>
          {toggles.map(({ key, name: what, isOn, onToggle }) => (
            <Button key={key} aria-pressed={isOn} aria-keyshortcuts={key} onClick={onToggle}>
              {what} <kbd className={styles.key}>{key.toUpperCase()}</kbd>
            </Button>
          ))}
          {hasZoom ? <Zoom {...props} /> : null}
        </div>
        <div className={styles.stage}>{children}</div>
        {told ? <div className={styles.told}>{told}</div> : null}
      </div>
    </Modal>
  )
}

function Zoom({ zoom, onZoom }: Pick<Props, 'zoom' | 'onZoom'>) {
  const { t } = useTranslation('common')
  return (
    <span className={styles.zoom}>
      <Button
        icon={<MinusOutlined />}
        disabled={zoom <= zooms[0]}
        aria-label={t('lightbox.smaller')}
        title={`${t('lightbox.smaller')} (−)`}
        onClick={() => onZoom(steppedZoom(zoom, -1))}
      />
      <output className={styles.share}>{`${Math.round(zoom * 100)}%`}</output>
      <Button
        icon={<PlusOutlined />}
        disabled={zoom >= (zooms.at(-1) ?? 1)}
        aria-label={t('lightbox.larger')}
        title={`${t('lightbox.larger')} (+)`}
        onClick={() => onZoom(steppedZoom(zoom, 1))}
      />
    </span>
  )
}

/** The next larger or smaller one. */
const steppedZoom = (zoom: number, by: 1 | -1): number =>
  (by > 0 ? zooms.find((one) => one > zoom) : zooms.findLast((one) => one < zoom)) ?? zoom

/** What has keys of its own keeps them. */
const ownKeys = 'input, textarea, select, [role="slider"], [role="radio"], [role="combobox"]'

function useKeys(props: Props): void {
  const latest = useRef(props)
  latest.current = props
  const { open } = props
  useEffect(() => {
    if (!open) return
    const press = (event: KeyboardEvent) => {
      const { onBack, onNext, zoom, onZoom, toggles = [] } = latest.current
      const isTaken = event.target instanceof Element && event.target.closest(ownKeys) !== null
      if (isTaken || event.ctrlKey || event.metaKey || event.altKey) return
      const toggle = toggles.find(({ key }) => key === event.key.toLowerCase())
      const act = toggle?.onToggle ?? keys({ onBack, onNext, zoom, onZoom })[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [open])
}

function keys({
  onBack,
  onNext,
  zoom,
  onZoom,
}: Pick<Props, 'onBack' | 'onNext' | 'zoom' | 'onZoom'>): Record<string, (() => void) | null> {
  return {
    ArrowLeft: onBack,
    ArrowRight: onNext,
    '+': () => onZoom(steppedZoom(zoom, 1)),
    '=': () => onZoom(steppedZoom(zoom, 1)),
    '-': () => onZoom(steppedZoom(zoom, -1)),
    '0': () => onZoom(1),
  }
}

type PaneProps = { zoom: number; onZoom: (zoom: number) => void; children: ReactNode }

/** One image, as large as there is room; zoomed, it is dragged, and other panes of the box move with it. */
export function LightboxPane({ zoom, onZoom, children }: PaneProps) {
  const pane = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = pane.current
    if (!element) return
    const turn = (event: WheelEvent) => {
      // Not passive, or the page behind would zoom as well.
      event.preventDefault()
      onZoom(steppedZoom(zoom, event.deltaY < 0 ? 1 : -1))
    }
    const drag = ({ buttons, movementX, movementY }: PointerEvent) => {
      if (buttons === 1) element.scrollBy(-movementX, -movementY)
    }
    element.addEventListener('wheel', turn, { passive: false })
    element.addEventListener('pointermove', drag)
    return () => {
      element.removeEventListener('wheel', turn)
      element.removeEventListener('pointermove', drag)
    }
  }, [zoom, onZoom])
  // Zoomed, the middle stays in the middle.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each zoom is put in the middle anew
  useEffect(() => {
    const element = pane.current
    if (!element) return
    element.scrollLeft = (element.scrollWidth - element.clientWidth) / 2
    element.scrollTop = (element.scrollHeight - element.clientHeight) / 2
  }, [zoom])
  return (
    <div
      ref={pane}
      className={styles.pane}
      tabIndex={zoom > 1 ? 0 : -1}
      onScroll={({ currentTarget }) => follow(currentTarget)}
    >
      <div style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}>{children}</div>
    </div>
  )
}

function follow(moved: HTMLElement): void {
  for (const other of moved.closest(`.${styles.stage}`)?.querySelectorAll(`.${styles.pane}`) ?? []) {
    if (other === moved) continue
    other.scrollLeft = moved.scrollLeft
    other.scrollTop = moved.scrollTop
  }
}
