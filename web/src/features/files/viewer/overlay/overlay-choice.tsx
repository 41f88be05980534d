/** What is laid over the image: masks and labels that look like its own first, then all images of its folder. */
import { BlockOutlined } from '@ant-design/icons'
import { imageViews } from '@neuroloom/contract/image-view'
import type { OverlayCandidate } from '@neuroloom/contract/reading/overlays'
import { useQuery } from '@tanstack/react-query'
import { Button, Popover, Spin } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewPlace } from '../view-place.ts'
import styles from './overlay.module.css'
import type { Overlays } from './use-overlays.ts'

export function OverlayChoice({ overlays }: { overlays: Overlays }) {
  const { t } = useTranslation('viewer')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger="click"
      placement="bottom"
      getPopupContainer={(node) => node.parentElement ?? document.body}
      title={t('overlay.choose')}
      destroyOnHidden
      content={
        <Candidates
          overlays={overlays}
          onChoose={(one) => {
            overlays.add(one)
            setIsOpen(false)
          }}
        />
      }
    >
      <Button
        icon={<BlockOutlined aria-hidden />}
        type={overlays.views.length > 0 ? 'primary' : 'default'}
        aria-label={t('overlay.choose')}
        title={t('overlay.choose')}
      />
    </Popover>
  )
}

function Candidates({
  overlays,
  onChoose,
}: {
  overlays: Overlays
  onChoose: (one: OverlayCandidate) => void
}) {
  const { t } = useTranslation('viewer')
  const { over } = useViewPlace()
  const query = useQuery({
    queryKey: ['overlays', ...over.key],
    queryFn: ({ signal }) => over.candidates(signal),
  })
  if (query.isError) return <p className={styles.none}>{t('overlay.notFound')}</p>
  if (!query.data) return <Spin />
  const candidates = query.data
  if (candidates.length === 0) return <p className={styles.none}>{t('overlay.none')}</p>
  const isFull = overlays.views.length >= imageViews.overlays
  return (
    <>
      {isFull && <p className={styles.none}>{t('overlay.full')}</p>}
      <ul className={styles.candidates}>
        {candidates.map((one) => (
          <li key={one.id}>
            <Button
              type="text"
              size="small"
              disabled={isFull || overlays.views.some(({ id: shown }) => shown === one.id)}
              onClick={() => onChoose(one)}
            >
              <span className={styles.name}>
                {one.folder === '' ? one.name : `${one.folder} / ${one.name}`}
              </span>
              <Hint one={one} />
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** What kind of thing it is, where its name does not say so. */
function Hint({ one: { kind, reader, isLikely } }: { one: OverlayCandidate }) {
  const { t } = useTranslation('viewer')
  if (kind === 'mask') return isLikely ? <small>{t('overlay.likely')}</small> : null
  if (kind === 'labels') return <small>{t(isLikely ? 'overlay.likelyLabels' : 'overlay.labels')}</small>
  const marked = reader === '' ? t('overlay.mine') : t('overlay.by', { reader })
  return <small>{reader === null ? t('overlay.agreed') : marked}</small>
}
