import { DeleteOutlined } from '@ant-design/icons'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Button } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { changeThing } from '../tools/making.ts'
import { chooseTool } from './commands.ts'
import styles from './editor.module.css'
import { useBench, useDesk } from './use-bench.ts'

const ROW = 36

/** All boxes, outlines, lines and points of the image; thousands of them, of which only the seen rows are drawn. */
export function Things() {
  const { t } = useTranslation('labelling')
  const bench = useBench()
  useDesk(({ version }) => version)
  const selected = useDesk((desk) => desk.selected)
  const isDeep = bench.body.size[2] > 1
  const frame = useRef<HTMLDivElement>(null)
  const things = [...bench.journal.marks.things.values()]
  const rows = useVirtualizer({
    count: things.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
  })
  const choose = (id: string) => {
    const thing = bench.journal.marks.things.get(id)
    if (!thing) return
    chooseTool(bench, 'select')
    bench.goTo(thing.place.axis, thing.place.slice)
    bench.select([id])
  }
  return (
    <section className={styles.part}>
      <h2>{t('things.title', { count: things.length, shown: formatNumber(things.length) })}</h2>
      {things.length === 0 && <p className={styles.none}>{t('things.none')}</p>}
      <div ref={frame} className={styles.things} hidden={things.length === 0}>
        <ul style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const thing = things[index]
            const kind = thing && bench.classOf(thing.class)
            if (!thing || !kind) return null
            const name = t('things.one', {
              name: kind.name,
              shape: t(`shape.${thing.shape.kind}`),
              number: index + 1,
            })
            return (
              <li key={thing.id} style={{ transform: `translateY(${start}px)` }}>
                <button
                  type="button"
                  aria-pressed={selected.includes(thing.id)}
                  onClick={() => choose(thing.id)}
                >
                  <i style={{ background: kind.colour }} aria-hidden />
                  <span>{name}</span>
                  {isDeep && <small>{thing.place.slice + 1}</small>}
                </button>
                <Button
                  type="text"
                  size="small"
                  disabled={!bench.isWritable}
                  icon={<DeleteOutlined aria-hidden />}
                  aria-label={t('things.remove', { name })}
                  onClick={() => changeThing(bench, thing, { after: null, tool: 'remove' })}
                />
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}
