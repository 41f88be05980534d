import { presetSizes, type Template } from '@neuroloom/contract/network/templates'
import { Button } from 'antd'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import shared from '../../ui/card.module.css'
import styles from './gallery.module.css'
import type { TemplateChoice } from './gallery-choice.ts'
import { addressOf, partOf, useDrawings } from './gallery-drawing.ts'
import { shortNumber } from './gallery-number.ts'

type Props = {
  template: Template
  onOpen: (template: Template) => void
  onChoose: (choice: TemplateChoice) => void
}

/** The whole card opens the details; its two buttons take a size at once. */
export function TemplateCard({ template, onOpen, onChoose }: Props) {
  const { t } = useTranslation(['gallery', 'templates'])
  const card = useRef<HTMLElement>(null)
  const { data: drawings } = useDrawings(template, useWasSeen(card))
  const full = drawings?.find(({ size }) => size === 'full')
  const title = t(`templates:template.${template.id}.title`)
  return (
    <article ref={card} className={`${shared.card} ${styles.card}`}>
      <div className={styles.picture}>
        {full ? <img src={addressOf(partOf(full.picture))} alt="" draggable={false} /> : null}
      </div>
      <h3 className={styles.title}>
        <button type="button" className={`${styles.open} ${shared.target}`} onClick={() => onOpen(template)}>
          {title}
        </button>
      </h3>
      <p className={styles.about}>{t(`templates:template.${template.id}.about`)}</p>
      <div className={styles.sizes}>
        {presetSizes.map((size) => {
          const parameters = drawings?.find((drawn) => drawn.size === size)?.picture.parameters
          return (
            <Button
              key={size}
              className={styles.size ?? ''}
              aria-label={t('take', { name: title, size: t(`size.${size}`) })}
              onClick={() => onChoose({ template: template.id, size })}
            >
              <span className={styles.sizeText}>
                <span>{t(`size.${size}`)}</span>
                {/* Drawn by the style: what is seen of a button has to be part of its name. */}
                <span className={styles.number} data-number={parameters ? shortNumber(parameters) : '…'} />
              </span>
            </Button>
          )
        })}
      </div>
    </article>
  )
}

/** True from the moment on at which an element first came near the window. */
function useWasSeen(element: RefObject<HTMLElement | null>): boolean {
  const [wasSeen, setWasSeen] = useState(false)
  useEffect(() => {
    const { current } = element
    if (current === null || wasSeen) return
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setWasSeen(true)
      },
      { rootMargin: '200px' },
    )
    watcher.observe(current)
    return () => watcher.disconnect()
  }, [element, wasSeen])
  return wasSeen
}
