import type { LearnedRun } from '@neuroloom/contract/runs'
import { useState } from 'react'
import { ItemCard } from './item-card.tsx'
import { ItemDialog } from './item-dialog.tsx'
import type { Item } from './item-kind.ts'
import { itemKind } from './item-kind.ts'
import { LabelLegend } from './item-words.tsx'
import styles from './items.module.css'
import { BoxLegend, OverlayLegend } from './overlay-legend.tsx'
import { viewerOf } from './picture-dialog.tsx'

/** Pictures with what the network says of them; any opens large. */
export function ItemGallery({ items, run }: { items: readonly Item[]; run: LearnedRun }) {
  const [opened, setOpened] = useState<Item | null>(null)
  const kind = itemKind[run.task]
  const hasOverlays = items.some(({ overlay }) => overlay !== null)
  return (
    <>
      {hasOverlays && kind === 'outlines' ? <OverlayLegend of="Outline" /> : null}
      {hasOverlays && kind === 'boxes' ? (
        items.some(({ size }) => size) ? (
          <BoxLegend classes={run.classes} isJudged />
        ) : (
          <OverlayLegend of="Box" />
        )
      ) : null}
      {items.length > 0 && kind === 'labels' ? <LabelLegend /> : null}
      <div className={styles.gallery} data-kind={kind}>
        {items.map((item) => (
          <ItemCard key={item.id} item={item} run={run} onOpen={setOpened} />
        ))}
      </div>
      <ItemDialog
        item={opened}
        run={run}
        // A sample of a training is none of its results.
        viewer={run.kind === 'test' ? viewerOf(run) : null}
        onClose={() => setOpened(null)}
      />
    </>
  )
}
