import { Modal } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Item } from './item-kind.ts'
import styles from './items.module.css'

type DialogProps = { item: Item | null; onClose: () => void; children: (item: Item) => ReactNode }

/** One picture large, with what is said of it. */
export function PictureDialog({ item, onClose, children }: DialogProps) {
  return (
    <Modal
      open={item !== null}
      title={item?.name ?? ''}
      onCancel={onClose}
      footer={null}
      width={item?.overlay ? 960 : 640}
      destroyOnHidden
    >
      {item ? <div className={styles.large}>{children(item)}</div> : null}
    </Modal>
  )
}

type BesideProps = { item: Item; alt: string; caption: ReactNode }

/** As it is and, where something is drawn over it, with that beside. */
export function PicturesBeside({ item: { name, image, overlay }, alt, caption }: BesideProps) {
  const { t } = useTranslation('results')
  return (
    <div className={styles.pictures}>
      {image ? (
        <figure>
          <img src={image} alt={name} />
          {overlay ? <figcaption>{t('items.original')}</figcaption> : null}
        </figure>
      ) : null}
      {overlay ? (
        <figure>
          <img src={overlay} alt={alt} />
          <figcaption>{caption}</figcaption>
        </figure>
      ) : null}
    </div>
  )
}
