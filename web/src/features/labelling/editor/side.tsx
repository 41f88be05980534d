import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { Button, Checkbox, Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import type { OpenedReading } from '../journal/opening.ts'
import { HelperPanel } from '../proposals/panel.tsx'
import { TalkPart } from '../talk/talk-part.tsx'
import type { Talk } from '../talk/use-talk.ts'
import { chooseClass } from './commands.ts'
import styles from './editor.module.css'
import { History } from './history.tsx'
import { Readings } from './readings.tsx'
import { Settings } from './settings.tsx'
import { Things } from './things.tsx'
import { useBench, useDesk } from './use-bench.ts'

/** Classes, settings of the tool, labels of the whole image, things and history. */
export function Side({ opened, talk }: { opened: OpenedReading; talk: Talk }) {
  const { marks } = opened.set
  const hasThings = marks.some((mark) => mark !== 'tags' && mark !== 'pixels')
  return (
    <aside className={styles.side}>
      <Readings opened={opened} />
      <Classes />
      {opened.reading.reader === '' && <HelperPanel opened={opened} />}
      {marks.includes('tags') && <Tags isOne={opened.set.oneTag} />}
      <Settings hasPixels={marks.includes('pixels')} opened={opened} />
      {hasThings && <Things />}
      <TalkPart talk={talk} />
      <History readingId={opened.reading.id} />
    </aside>
  )
}

function Classes() {
  const { t } = useTranslation('labelling')
  const bench = useBench()
  const chosen = useDesk(({ classId }) => classId)
  const hidden = useDesk((desk) => desk.hidden)
  const toggle = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    bench.desk.setState({ hidden: next })
    bench.renewColours()
  }
  return (
    <section className={styles.part}>
      <h2>{t('classes.title')}</h2>
      <ul className={styles.classes}>
        {bench.classes.map(({ id, name, description, colour, key }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id === chosen}
              title={description}
              onClick={() => chooseClass(bench, id)}
            >
              <i style={{ background: colour }} aria-hidden />
              <span>{name}</span>
              {key !== null && <kbd>{key}</kbd>}
            </button>
            <Button
              type="text"
              size="small"
              icon={hidden.has(id) ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
              aria-label={t(hidden.has(id) ? 'classes.show' : 'classes.hide', { name })}
              onClick={() => toggle(id)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Tags({ isOne }: { isOne: boolean }) {
  const { t } = useTranslation('labelling')
  const bench = useBench()
  useDesk(({ version }) => version)
  const { tags } = bench.journal.marks
  const choices = bench.classes
    .filter(({ use }) => use === 'class')
    .map(({ id, name }) => ({ value: id, label: name }))
  const set = (after: string[]) =>
    bench.journal.stroke('tags', () => bench.journal.make({ do: 'tags', before: [...tags], after }))
  return (
    <section className={styles.part}>
      <h2>{t('tags')}</h2>
      {isOne ? (
        <Radio.Group
          vertical
          disabled={!bench.isWritable}
          options={choices}
          value={tags[0] ?? null}
          onChange={({ target }) => set([String(target.value)])}
        />
      ) : (
        <Checkbox.Group
          className={styles.tags ?? ''}
          disabled={!bench.isWritable}
          options={choices}
          value={[...tags]}
          onChange={set}
        />
      )}
    </section>
  )
}
