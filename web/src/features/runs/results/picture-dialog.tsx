import { FullscreenOutlined } from '@ant-design/icons'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Lightbox, LightboxPane, type LightboxToggle } from '../../../ui/pictures/lightbox.tsx'
import { DrawnOutlines, type Hidden } from './drawn-outlines.tsx'
import type { Item } from './item-kind.ts'
import { ItemName } from './item-name.tsx'
import styles from './items.module.css'

/** How large the image is shown. */
export type View = { zoom: number; onZoom: (zoom: number) => void }

type DialogProps = {
  item: Item | null
  /** In their present order: arrows lead through them. */
  items: readonly Item[]
  onOpen: (item: Item | null) => void
  /** Of the viewer with all its tools; null where an item has no place of its own. */
  viewer?: ((item: Item) => string) | null
  /** What an image is scored by, in words; of predictions nothing. */
  scoreOf?: (item: Item) => string | null
  toggles?: readonly LightboxToggle[]
  /** Whether what is shown follows the zoom. */
  hasZoom?: boolean
  /** What is said of the image. */
  told: (item: Item) => ReactNode
  children: (item: Item, view: View) => ReactNode
}

/** The run's page with one of its images in the viewer; a volume opens at the slice that its picture shows. */
export const viewerOf =
  ({ id }: Pick<LearnedRun, 'id'>) =>
  ({ id: item, slice }: Pick<Item, 'id' | 'slice'>): string =>
    `/run?${new URLSearchParams({ id, item, ...(slice ? { slice: String(slice.number) } : {}) })}`

/** One picture over the whole window, with what is said of it, and the way to those before and after. */
export function PictureDialog({
  item,
  items,
  onOpen,
  viewer = null,
  scoreOf = () => null,
  toggles = [],
  hasZoom = true,
  told,
  children,
}: DialogProps) {
  const { t } = useTranslation('results')
  const [zoom, setZoom] = useState(1)
  const place = items.findIndex(({ id }) => id === item?.id)
  const open = (next: Item | null) => {
    setZoom(1)
    onOpen(next)
  }
  const leadTo = (next: Item | undefined) => (next ? () => open(next) : null)
  const caption = item
    ? [t('items.place', { number: place + 1, count: items.length }), scoreOf(item)].filter(Boolean).join(', ')
    : ''
  return (
    <Lightbox
      open={item !== null}
      name={item ? <Title name={item.name} /> : ''}
      caption={caption}
      onBack={leadTo(items[place - 1])}
      onNext={leadTo(place < 0 ? undefined : items[place + 1])}
      zoom={zoom}
      onZoom={setZoom}
      toggles={toggles}
      hasZoom={hasZoom}
      onClose={() => open(null)}
      told={
        item ? (
          <>
            {told(item)}
            {viewer ? (
              <Link className={styles.viewer} to={viewer(item)}>
                <FullscreenOutlined aria-hidden /> {t(item.slice ? 'items.lookThrough' : 'items.look')}
              </Link>
            ) : null}
          </>
        ) : null
      }
    >
      {item ? children(item, { zoom, onZoom: setZoom }) : null}
    </Lightbox>
  )
}

/** Seen, a long name keeps its end; read out, it stays whole. */
function Title({ name }: { name: string }) {
  return (
    <>
      <span className="nl-hidden">{name}</span>
      <span className={styles.title} aria-hidden>
        <ItemName name={name} />
      </span>
    </>
  )
}

type BesideProps = {
  item: Item
  view: View
  alt: string
  caption: ReactNode
  isVolume: boolean
  /** Which of the two outlines are not drawn. */
  hidden?: Hidden
  /** What lies over the picture that is drawn on. */
  over?: ReactNode
}

/** As it is and, where something is drawn over it, with that beside; of a volume the same slice twice. */
export function PicturesBeside({
  item,
  view,
  alt,
  caption,
  isVolume,
  hidden = { truth: false, predicted: false },
  over = null,
}: BesideProps) {
  const { t } = useTranslation('results')
  const { name, image, overlay, slice } = item
  const source = item.plain ?? image
  const isBare = hidden.truth && hidden.predicted
  const behind = bareOf(item, isVolume)
  return (
    <div className={styles.pictures}>
      {source ? (
        <figure>
          <LightboxPane {...view}>
            <img src={source} alt={name} />
          </LightboxPane>
          {overlay ? (
            <figcaption>{t(`items.${plainCaption(item, isVolume)}`, { ...slice })}</figcaption>
          ) : null}
        </figure>
      ) : null}
      {overlay ? (
        <figure>
          <LightboxPane {...view}>
            <div className={styles.drawn}>
              <DrawnOutlines overlay={overlay} plain={behind} alt={alt} hidden={hidden} />
              {isBare ? null : over}
            </div>
          </LightboxPane>
          <figcaption>
            {isVolume ? <p>{t(slice ? 'items.sliceOf' : 'items.slice', { ...slice })}</p> : null}
            {caption}
          </figcaption>
        </figure>
      ) : null}
    </div>
  )
}

/** What lies behind the outlines; of a volume nothing where only another slice is known. */
export const bareOf = ({ plain, image }: Pick<Item, 'plain' | 'image'>, isVolume: boolean): string | null =>
  plain ?? (isVolume ? null : image)

/** Without a picture of the same slice, the small picture of the file is shown: its middle slice. */
function plainCaption({ plain, slice }: Item, isVolume: boolean): 'original' | 'slicePlain' | 'sliceMiddle' {
  if (!isVolume) return 'original'
  return plain && slice ? 'slicePlain' : 'sliceMiddle'
}
