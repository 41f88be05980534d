import { FullscreenOutlined } from '@ant-design/icons'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { Modal } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Item } from './item-kind.ts'
import styles from './items.module.css'

type DialogProps = {
  item: Item | null
  /** Of the viewer with all its tools; null where an item has no place of its own. */
  viewer?: ((item: Item) => string) | null
  onClose: () => void
  children: (item: Item) => ReactNode
}

/** The run's page with one of its images in the viewer; a volume opens at the slice that its picture shows. */
export const viewerOf =
  ({ id }: Pick<LearnedRun, 'id'>) =>
  ({ id: item, slice }: Pick<Item, 'id' | 'slice'>): string =>
    `/run?${new URLSearchParams({ id, item, ...(slice ? { slice: String(slice.number) } : {}) })}`

/** One picture large, with what is said of it. */
export function PictureDialog({ item, viewer = null, onClose, children }: DialogProps) {
  const { t } = useTranslation('results')
  return (
    <Modal
      open={item !== null}
      title={item?.name ?? ''}
      onCancel={onClose}
      footer={null}
      width={item?.overlay ? 960 : 640}
      destroyOnHidden
    >
      {item ? (
        <div className={styles.large}>
          {children(item)}
          {viewer ? (
            <Link className={styles.viewer} to={viewer(item)}>
              <FullscreenOutlined aria-hidden /> {t(item.slice ? 'items.lookThrough' : 'items.look')}
            </Link>
          ) : null}
        </div>
      ) : null}
    </Modal>
  )
}

type BesideProps = {
  item: Item
  alt: string
  caption: ReactNode
  isVolume: boolean
  /** What lies over the picture that is drawn on. */
  over?: ReactNode
}

/** As it is and, where something is drawn over it, with that beside; of a volume the same slice twice. */
export function PicturesBeside({ item, alt, caption, isVolume, over = null }: BesideProps) {
  const { t } = useTranslation('results')
  const { name, image, overlay, slice } = item
  const source = item.plain ?? image
  return (
    <div className={styles.pictures}>
      {source ? (
        <figure>
          <img src={source} alt={name} />
          {overlay ? (
            <figcaption>{t(`items.${plainCaption(item, isVolume)}`, { ...slice })}</figcaption>
          ) : null}
        </figure>
      ) : null}
      {overlay ? (
        <figure>
          <div className={styles.drawn}>
            <img src={overlay} alt={alt} />
            {over}
          </div>
          <figcaption>
            {isVolume ? <p>{t(slice ? 'items.sliceOf' : 'items.slice', { ...slice })}</p> : null}
            {caption}
          </figcaption>
        </figure>
      ) : null}
    </div>
  )
}

/** Without a picture of the same slice, the small picture of the file is shown: its middle slice. */
function plainCaption({ plain, slice }: Item, isVolume: boolean): 'original' | 'slicePlain' | 'sliceMiddle' {
  if (!isVolume) return 'original'
  return plain && slice ? 'slicePlain' : 'sliceMiddle'
}
