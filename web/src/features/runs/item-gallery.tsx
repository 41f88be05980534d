import type { Run } from '@neuroloom/contract/runs'
import { useState } from 'react'
import { type Item, ItemCard } from './item-card.tsx'
import { ItemDialog } from './item-dialog.tsx'
import styles from './items.module.css'
import { OverlayLegend } from './overlay-legend.tsx'

/** Pictures with what the network says of them; any opens large. */
export function ItemGallery({ items, run }: { items: readonly Item[]; run: Run }) {
  const [opened, setOpened] = useState<Item | null>(null)
  return (
    <>
      {run.task === 'segmentation' && items.length > 0 ? <OverlayLegend /> : null}
      <div className={styles.gallery}>
        {items.map((item) => (
          <ItemCard key={item.id} item={item} run={run} onOpen={setOpened} />
        ))}
      </div>
      <ItemDialog item={opened} run={run} onClose={() => setOpened(null)} />
    </>
  )
}
