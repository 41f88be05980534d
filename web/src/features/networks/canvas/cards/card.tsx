import { LinkOutlined, LockOutlined, MessageOutlined, PlusSquareOutlined } from '@ant-design/icons'
import type { Seen } from '@neuroloom/contract/networks'
import type { NodeProps } from '@xyflow/react'
import { memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CardNode } from '../flow.ts'
import { useActive } from '../use-active.ts'
import styles from './card.module.css'
import { useItemWords } from './item-words.ts'
import { Ports } from './ports.tsx'

/** A layer, a folded block or a head: what it is, what is set otherwise, what is wrong. */
export const Card = memo(function Card({ data }: NodeProps<CardNode>) {
  const { item, facts } = data
  const { t } = useTranslation('dripe')
  const words = useItemWords(item)
  const active = useActive(item.path)
  const { node } = item
  const count = facts.mistakes || facts.warnings
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      ref={active.ref}
      className={styles.card}
      data-category={words.category}
      data-kind={item.kind}
      data-off={node?.off === true}
      data-state={stateOf(facts)}
      data-compared={facts.compared}
      data-heat={facts.heat === null ? undefined : Math.min(4, Math.ceil(Math.sqrt(facts.heat) * 5))}
      role="group"
      tabIndex={active.tabIndex}
      aria-label={words.label(facts)}
      aria-describedby="canvas-keys"
    >
      <div className={styles.head}>
        <span className={styles.title} title={words.title}>
          {words.title}
        </span>
        <span className={styles.marks}>
          {node?.note !== undefined && <MessageOutlined title={node.note} />}
          {node?.share !== undefined && <LinkOutlined title={t('card.share', { name: node.share })} />}
          {item.isReadOnly && <LockOutlined title={t('card.readOnly')} />}
          {item.kind === 'block' && <PlusSquareOutlined title={t('card.block')} />}
          {words.times !== '' && <span className={styles.repeat}>{words.times}</span>}
          {count > 0 && (
            <span className={styles.count} data-kind={facts.mistakes > 0 ? 'mistake' : 'warning'}>
              {count}
            </span>
          )}
        </span>
      </div>
      <div className={styles.line}>
        <span className={styles.name}>{words.name}</span>
        <span className={styles.settings} title={words.settingsHint}>
          {words.settings}
        </span>
      </div>
      {facts.seen !== null && <Maps seen={facts.seen} />}
      <Ports item={item} />
    </div>
  )
})

export function stateOf({ mistakes, warnings }: { mistakes: number; warnings: number }): string {
  if (mistakes > 0) return 'mistake'
  return warnings > 0 ? 'warning' : 'good'
}

const shown = 4

/** The first feature maps of a node side by side, each as bright as it can be. */
function Maps({ seen }: { seen: Seen }) {
  const ref = useRef<HTMLCanvasElement>(null)
  const count = Math.min(shown, seen.channels)
  useEffect(() => {
    const context = ref.current?.getContext('2d')
    if (!context) return
    for (let k = 0; k < count; k++) context.putImageData(imageOf(seen, k), k * (seen.width + 1), 0)
  }, [seen, count])
  return (
    <canvas
      ref={ref}
      className={styles.maps}
      width={count * (seen.width + 1) - 1}
      height={seen.height}
      aria-hidden
    />
  )
}

function imageOf({ data, width, height }: Seen, channel: number): ImageData {
  const bytes = atob(data)
  const image = new ImageData(width, height)
  for (let k = 0; k < width * height; k++) {
    const light = bytes.charCodeAt(channel * width * height + k)
    image.data.set([light, light, light, 255], 4 * k)
  }
  return image
}
