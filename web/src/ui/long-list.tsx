import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import { observeSeen } from './hooks/seen-rect.ts'
import styles from './long-list.module.css'

type Props<Item> = {
  items: readonly Item[]
  keyOf: (item: Item) => string
  label: string
  /** In pixels, of a row that was not drawn yet. */
  rowHeight: number
  className?: string | undefined
  /** Of the frame that scrolls, where the usual one does not fit. */
  frameClassName?: string | undefined
  /** Draws what stands in a row. */
  children: (item: Item) => ReactNode
}

/** Drawn at once; of more, those near what is seen. */
const FEW = 60

/** A list in a frame of its own that scrolls where it is long. */
export function LongList<Item>(props: Props<Item>) {
  const { items, keyOf, label, className, children } = props
  if (items.length > FEW) return <Scrolled {...props} />
  return (
    <ul className={className} aria-label={label}>
      {items.map((item) => (
        <li key={keyOf(item)}>{children(item)}</li>
      ))}
    </ul>
  )
}

function Scrolled<Item>({
  items,
  keyOf,
  label,
  rowHeight,
  className,
  frameClassName,
  children,
}: Props<Item>) {
  const frame = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    observeElementRect: observeSeen,
  })
  const drawn = rows.getVirtualItems()
  const above = drawn[0]?.start ?? 0
  const below = rows.getTotalSize() - (drawn.at(-1)?.end ?? 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
    <section ref={frame} className={frameClassName ?? styles.frame} aria-label={label} tabIndex={0}>
      <ul className={className} aria-label={label} style={{ paddingTop: above, paddingBottom: below }}>
        {drawn.map(({ index }) => {
          const item = items[index]
          return (
            item !== undefined && (
              <li
                key={keyOf(item)}
                ref={rows.measureElement}
                data-index={index}
                aria-setsize={items.length}
                aria-posinset={index + 1}
              >
                {children(item)}
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}
