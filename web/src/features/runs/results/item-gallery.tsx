import type { LearnedRun } from '@neuroloom/contract/runs'
import { useState } from 'react'
import { ItemCard } from './item-card.tsx'
import { ItemDialog } from './item-dialog.tsx'
import type { Item } from './item-kind.ts'
import { itemKind } from './item-kind.ts'
import { LabelLegend } from './item-words.tsx'
import styles from './items.module.css'
import { BoxLegend, OutlineLegend, OverlayLegend } from './overlay-legend.tsx'
import { viewerOf } from './picture-dialog.tsx'

type Props = {
  items: readonly Item[]
  run: LearnedRun
  /** The first ones are what one came for. */
  hasLargest?: boolean
  /** Little is said of each, so that more are seen at once. */
  isCompact?: boolean
}

/** Pictures with what the network says of them; any opens large. */
export function ItemGallery({ items, run, hasLargest = false, isCompact = false }: Props) {
  const [opened, setOpened] = useState<Item | null>(null)
  const kind = itemKind[run.task]
  const hasOverlays = items.some(({ overlay }) => overlay !== null)
  return (
    <>
      {hasOverlays && kind === 'outlines' ? <OutlineLegend run={run} items={items} isJudged /> : null}
      {hasOverlays && kind === 'boxes' ? (
        items.some(({ size }) => size) ? (
          <BoxLegend classes={run.classes} isJudged />
        ) : (
          <OverlayLegend of="Box" />
        )
      ) : null}
      {items.length > 0 && kind === 'labels' ? <LabelLegend /> : null}
      <div
        className={styles.gallery}
        data-kind={kind}
        data-largest={hasLargest && items.length > 3}
        data-compact={isCompact}
      >
        {items.map((item) => (
          <ItemCard key={item.id} item={item} run={run} onOpen={setOpened} />
        ))}
      </div>
      <ItemDialog
        item={opened}
        items={items}
        run={run}
        // A sample of a training is none of its results.
        viewer={run.kind === 'test' ? viewerOf(run) : null}
        onOpen={setOpened}
      />
    </>
  )
}
