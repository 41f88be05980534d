import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import type { CardNode } from '../flow.ts'
import { useActive } from '../use-active.ts'
import { stateOf } from './card.tsx'
import { useItemWords } from './item-words.ts'
import styles from './pill.module.css'
import { Ports } from './ports.tsx'

/** Where data come into the network or into an opened block, and where they leave the block. */
export const Pill = memo(function Pill({ data }: NodeProps<CardNode>) {
  const { item, facts } = data
  const words = useItemWords(item)
  const active = useActive(item.path)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      ref={active.ref}
      className={styles.pill}
      data-kind={item.kind}
      data-state={stateOf(facts)}
      role="group"
      tabIndex={active.tabIndex}
      aria-label={words.label(facts)}
      aria-describedby="canvas-keys"
    >
      <span className={styles.title}>{words.title}</span>
      <span className={styles.name}>{words.name}</span>
      <Ports item={item} />
    </div>
  )
})
