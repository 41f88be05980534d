import type { Seen } from '@neuroloom/contract/networks'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import panel from '../panel.module.css'
import styles from './look.module.css'

type Props = { name: string | undefined; seen: Seen | undefined; values: readonly number[] | undefined }

/** What the chosen layer makes of the image: its maps large, or its numbers. */
export function SeenNode({ name, seen, values }: Props) {
  const { t } = useTranslation('dripe-panels')
  if (name === undefined) return <p className={panel.note}>{t('look.choose')}</p>
  if (seen !== undefined) return <MapsOf name={name} seen={seen} />
  if (values !== undefined) return <ValuesOf name={name} values={values} />
  return <p className={panel.note}>{t('look.notSeen', { name })}</p>
}

function MapsOf({ name, seen }: { name: string; seen: Seen }) {
  const { t } = useTranslation('dripe-panels')
  const { channels, allChannels, width, height, min, max } = seen
  return (
    <>
      <h3 className={panel.heading}>{name}</h3>
      <p className={panel.note}>
        {t('look.maps', { shown: channels, count: allChannels, size: `${width} × ${height}` })}{' '}
        {t('look.range', { min: formatNumber(min), max: formatNumber(max) })}
      </p>
      <ul className={styles.maps}>
        {Array.from({ length: channels }, (_, channel) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a channel is its number
          <li key={channel}>
            <MapPicture seen={seen} channel={channel} label={t('look.channel', { number: channel + 1 })} />
          </li>
        ))}
      </ul>
    </>
  )
}

function MapPicture({ seen, channel, label }: { seen: Seen; channel: number; label: string }) {
  const holder = useRef<HTMLCanvasElement>(null)
  const { data, width, height } = seen
  useEffect(() => {
    const context = holder.current?.getContext('2d')
    if (!context) return
    const bytes = atob(data)
    const picture = new ImageData(width, height)
    for (let k = 0; k < width * height; k += 1) {
      const light = bytes.charCodeAt(channel * width * height + k)
      picture.data.set([light, light, light, 255], 4 * k)
    }
    context.putImageData(picture, 0, 0)
  }, [data, width, height, channel])
  return <canvas ref={holder} width={width} height={height} role="img" aria-label={label} title={label} />
}

function ValuesOf({ name, values }: { name: string; values: readonly number[] }) {
  const { t } = useTranslation('dripe-panels')
  const largest = Math.max(...values.map(Math.abs), 1e-9)
  return (
    <>
      <h3 className={panel.heading}>{name}</h3>
      <p className={panel.note}>{t('look.values', { count: values.length })}</p>
      <ol className={styles.values}>
        {values.map((value, k) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a number is its place
          <li key={k} className={styles.value}>
            <span>{k}</span>
            <span className={styles.bar} data-negative={value < 0} aria-hidden="true">
              <span style={{ inlineSize: `${(100 * Math.abs(value)) / largest}%` }} />
            </span>
            <span className={panel.number}>{formatNumber(value)}</span>
          </li>
        ))}
      </ol>
    </>
  )
}
