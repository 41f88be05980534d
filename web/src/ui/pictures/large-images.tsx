import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './lightbox.module.css'
import { Lightbox, LightboxPane } from './lightbox.tsx'

type Props = {
  urls: readonly string[]
  current: number
  onChange: (next: number) => void
  onClose: () => void
}

/** One of several images over the whole window. Loaded when the first one is opened. */
export function LargeImages({ urls, current, onChange, onClose }: Props) {
  const { t } = useTranslation('common')
  const [zoom, setZoom] = useState(1)
  const leadTo = (next: number) =>
    urls[next] === undefined
      ? null
      : () => {
          setZoom(1)
          onChange(next)
        }
  const name = t('lightbox.place', { number: current + 1, count: urls.length })
  return (
    <Lightbox
      open
      name={name}
      caption=""
      onBack={leadTo(current - 1)}
      onNext={leadTo(current + 1)}
      zoom={zoom}
      onZoom={setZoom}
      onClose={onClose}
    >
      <LightboxPane zoom={zoom} onZoom={setZoom}>
        <img className={styles.whole} src={urls[current]} alt={name} />
      </LightboxPane>
    </Lightbox>
  )
}
