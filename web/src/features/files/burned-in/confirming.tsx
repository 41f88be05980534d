import { CheckOutlined, QuestionOutlined } from '@ant-design/icons'
import type { TextPicture, TextScan } from '@neuroloom/contract/burned-in'
import { Alert, Button, Pagination, Popconfirm } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { SURE } from './boxes.ts'
import { Shown } from './shown.tsx'
import styles from './texts.module.css'

const BoxEditor = lazyPart(async () => (await import('./box-editor.tsx')).BoxEditor, { over: true })

export type PageOfPictures = {
  scan: TextScan
  pictures: readonly TextPicture[]
  paging: { page: number; pages: number; onPage: (page: number) => void }
}

const refresh = ['files/textPictures', 'files/textScans'] as const

/** All pictures with the boxes that were found, the least sure first; each is opened, changed and confirmed. */
export function Confirming({ scan, pictures, paging }: PageOfPictures) {
  const { t } = useTranslation('texts')
  const [open, setOpen] = useState<number | null>(null)
  const all = useAction('files/confirmAllTexts', { refresh })
  const black = useAction('files/blackTexts', { refresh })
  const looked = scan.total - scan.failedPictures
  const left = looked - scan.confirmed
  const at = pictures.findIndex(({ position }) => position === open)
  const opened = pictures[at]
  const next = pictures.slice(at + 1).find(({ size, isConfirmed }) => size && !isConfirmed)
  return (
    <>
      <Alert type="info" showIcon title={t('promise')} />
      <div className={styles.tools}>
        <span>{t('confirmed', { shown: formatNumber(scan.confirmed), total: formatNumber(looked) })}</span>
        <Popconfirm
          title={t('allAsk')}
          description={t('promise')}
          okText={t('all')}
          cancelText={t('lookOn')}
          disabled={left === 0}
          onConfirm={() => all.mutate({ id: scan.id })}
        >
          <Button disabled={left === 0} loading={all.isPending}>
            {t('all')}
          </Button>
        </Popconfirm>
        <Button
          type="primary"
          disabled={left > 0 || looked === 0}
          loading={black.isPending}
          onClick={() => black.mutate({ id: scan.id })}
        >
          {t('black')}
        </Button>
      </div>
      <ul className={styles.grid}>
        {pictures.map((picture) => (
          <li key={picture.position}>
            <Tile picture={picture} onOpen={() => setOpen(picture.position)} />
          </li>
        ))}
      </ul>
      <Paging {...paging} />
      <Suspense>
        {opened?.size && (
          <BoxEditor
            key={opened.position}
            scanId={scan.id}
            picture={opened}
            size={opened.size}
            onClose={() => setOpen(null)}
            onNext={() => setOpen(next?.position ?? null)}
          />
        )}
      </Suspense>
    </>
  )
}

export function Paging({ page, pages, onPage }: PageOfPictures['paging']) {
  if (pages <= 1) return null
  return (
    <Pagination
      current={page + 1}
      pageSize={1}
      total={pages}
      showSizeChanger={false}
      onChange={(chosen) => onPage(chosen - 1)}
    />
  )
}

function Tile({ picture, onOpen }: { picture: TextPicture; onOpen: () => void }) {
  const { t } = useTranslation(['texts', 'viewing'])
  const { sourceName, size, regions, reason, isConfirmed } = picture
  if (!size)
    return (
      <div className={styles.tile}>
        <strong>{sourceName}</strong>
        <p className={styles.failed}>
          {reason ? t(`viewing:reasons.${reason.name}`, reason.params) : t('failure.internal')}
        </p>
      </div>
    )
  const isUnsure = regions.some(({ sureness }) => sureness < SURE)
  return (
    <button type="button" className={styles.tile} data-confirmed={isConfirmed} onClick={onOpen}>
      <Shown picture={picture} size={size} isSmall />
      <strong>{sourceName}</strong>
      <span className={styles.about}>
        {t('places', { count: regions.length, shown: formatNumber(regions.length) })}
        {isConfirmed ? (
          <span className={styles.sure}>
            <CheckOutlined aria-hidden /> {t('isConfirmed')}
          </span>
        ) : (
          isUnsure && (
            <span className={styles.unsure}>
              <QuestionOutlined aria-hidden /> {t('isUnsure')}
            </span>
          )
        )}
      </span>
    </button>
  )
}
