/** The masks and labels over an image, beside it: filled or as outlines, how dense, and each of their labels on or off. */
import { DeleteOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Segmented, Slider, Spin } from 'antd'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import { useViewPlace } from '../view-place.ts'
import { colourOfLabel } from './labels.ts'
import styles from './overlay.module.css'
import { type Overlays, type ShownOverlay, usualOpacity } from './use-overlays.ts'

export function OverlaySide({ overlays }: { overlays: Overlays }) {
  const { t } = useTranslation('viewer')
  const { side } = useViewPlace()
  if (side === null || overlays.shown.length === 0) return null
  return createPortal(
    <section className={styles.panel} aria-label={t('overlay.title')}>
      <h3>{t('overlay.title')}</h3>
      {overlays.shown.map((one) => (
        <One key={one.id} shown={one} overlays={overlays} />
      ))}
    </section>,
    side,
  )
}

type OneProps = { shown: ShownOverlay; overlays: Overlays }

function One({ shown, overlays }: OneProps) {
  const { t } = useTranslation(['viewer', 'viewing'])
  const { id, overlay, isFilled, opacity, isFailed } = shown
  const name = overlay?.name ?? ''
  return (
    <div className={styles.one}>
      <header>
        <strong>{name}</strong>
        <Button
          type="text"
          size="small"
          icon={<DeleteOutlined aria-hidden />}
          aria-label={t('overlay.remove', { name })}
          title={t('overlay.remove', { name })}
          onClick={() => overlays.remove(id)}
        />
      </header>
      {isFailed && <Alert type="error" title={t('overlay.failed')} />}
      {overlay?.reason && (
        <Alert type="warning" title={t(`viewing:reasons.${overlay.reason.name}`, overlay.reason.params)} />
      )}
      {!isFailed && (overlay === null || overlay.state === 'preparing') && <Spin />}
      {overlay?.notes.map(({ name: note, params }) => (
        <Alert key={note} type="info" title={t(`viewing:notes.${note}`, params)} />
      ))}
      {overlay?.marks && overlay.marks.tags.length > 0 && (
        <p className={styles.none}>{t('overlay.tags', { names: overlay.marks.tags.join(', ') })}</p>
      )}
      {overlay && (overlay.url ?? overlay.marks) && (
        <>
          <Segmented<boolean>
            size="small"
            block
            aria-label={t('overlay.look')}
            value={isFilled}
            onChange={(next) => overlays.change(id, { isFilled: next, opacity: usualOpacity(next) })}
            options={[
              { value: true, label: t('overlay.filled') },
              { value: false, label: t('overlay.outline') },
            ]}
          />
          <Slider
            min={5}
            max={100}
            ariaLabelForHandle={t('overlay.density', { name })}
            value={Math.round(opacity * 100)}
            tooltip={{ formatter: (value) => `${value ?? 0} %` }}
            onChange={(value) => overlays.change(id, { opacity: value / 100 })}
          />
          <Labels shown={shown} overlays={overlays} />
        </>
      )}
    </div>
  )
}

function Labels({ shown: { id, overlay, hidden, nothing }, overlays }: OneProps) {
  const { t } = useTranslation('viewer')
  const labels = overlay?.labels ?? []
  const unit = overlay?.marks ? ('marks' as const) : ('voxels' as const)
  if (labels.every((_, index) => nothing.includes(index + 1)))
    return <p className={styles.none}>{t('overlay.empty')}</p>
  return (
    <ul className={styles.labels}>
      {labels.map((label, index) => {
        const { key, name, count } = label
        const number = index + 1
        if (nothing.includes(number)) return null
        return (
          <li key={number}>
            <Checkbox
              checked={!hidden.includes(number)}
              onChange={({ target: { checked } }) =>
                overlays.change(id, {
                  hidden: checked ? hidden.filter((one) => one !== number) : [...hidden, number],
                })
              }
            >
              <span
                className={styles.swatch}
                style={{ background: `rgb(${colourOfLabel(label, index).join(' ')})` }}
                aria-hidden
              />
              {name ?? t('overlay.value', { value: key })}
            </Checkbox>
            <small>{t(`overlay.${unit}`, { count, shown: formatNumber(count) })}</small>
          </li>
        )
      })}
    </ul>
  )
}
